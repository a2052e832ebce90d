// Ordinary writing in several languages: letters, news, manuals, stories. Written for these tests.

export const PROSE = {
  english: `Dear Margaret, thank you for the parcel, which arrived on Tuesday in perfect shape. The
children had opened the first jar of honey before I could even find a spoon, and by the evening half
of it was gone. We have had a wet spring here; the lower meadow is still under water, and the farmer
across the road says he will not be able to cut hay before the middle of July. Otherwise there is
little to report. Tom has finally finished the shed he started two years ago, although the door does
not close, and he is very proud of it. I have gone back to teaching three mornings a week. It turns
out that I had missed the noise. How is your knee? When you wrote last you were waiting for a second
opinion, and I hope the new doctor has been more helpful than the old one. If you feel well enough to
travel in the autumn, the spare room is yours for as long as you like, and I promise not to cook fish.

To replace the filter, switch the machine off and let it cool for at least twenty minutes. Lift the
cover at the front, press both clips at the same time and pull the cartridge towards you. A little
water may run out, so it is a good idea to put a towel underneath. Rinse the new cartridge under cold
water, push it in until you hear a click, and run two cycles without coffee before you use the
machine again. If the red light stays on, the cartridge is not seated correctly.

Researchers who followed more than four thousand people over twelve years found that those who slept
badly in middle age were more likely to report problems with memory later on. The study cannot say
which of the two comes first, and its authors warn against drawing simple conclusions.`,

  german: `Liebe Frau Schneider, vielen Dank für Ihre Nachricht vom vergangenen Freitag. Wir haben
die Unterlagen inzwischen erhalten und geprüft. Leider fehlt noch die Bescheinigung Ihres früheren
Arbeitgebers, ohne die wir den Antrag nicht abschließend bearbeiten können. Bitte schicken Sie uns
das Schreiben bis Ende des Monats zu; eine Kopie genügt. Wenn Sie Fragen haben, erreichen Sie mich
vormittags unter der angegebenen Nummer. Mit freundlichen Grüßen.

Gestern Abend sind wir noch lange am Fluss spazieren gegangen. Es war warm, die Leute saßen auf den
Treppen und tranken Bier, irgendwo spielte jemand Gitarre. Mein Bruder erzählte von seiner neuen
Wohnung, die viel zu teuer ist, aber einen kleinen Garten hat. Er will im nächsten Jahr Tomaten
pflanzen und sich endlich einen Hund anschaffen. Ich glaube ihm kein Wort, denn das sagt er seit
zehn Jahren. Auf dem Heimweg hat es dann doch noch geregnet, und wir sind die letzten Meter gerannt.

Vor dem ersten Gebrauch muss das Gerät vollständig geladen werden. Stellen Sie es auf eine ebene
Fläche und achten Sie darauf, dass die Öffnungen an der Rückseite nicht verdeckt sind. Während des
Betriebs wird das Gehäuse warm; das ist normal. Reinigen Sie es nur mit einem trockenen Tuch.`,

  french: `Chère Hélène, je t'écris depuis la petite maison au bord de la mer où nous passons nos
vacances. Il fait beau depuis lundi et les enfants ne veulent plus sortir de l'eau. Hier nous avons
visité le marché du village : il y avait des fromages, des olives, des fleurs, et un vieux monsieur
qui vendait des chapeaux de paille. J'en ai acheté un pour toi. Le soir, nous dînons dehors, puis
nous regardons les bateaux rentrer au port. Je pense souvent à notre dernière conversation et je
crois que tu as raison : il vaut mieux changer de travail que de se plaindre tous les jours.

Pour préparer la pâte, versez la farine dans un grand bol, ajoutez le sucre, une pincée de sel et
les œufs, puis mélangez doucement avec une cuillère en bois. Laissez reposer au frais pendant une
heure. Faites chauffer un peu de beurre dans une poêle, étalez une louche de pâte et retournez la
crêpe dès que les bords se colorent. Servez tout de suite avec de la confiture ou du miel.

La mairie a annoncé mercredi que la bibliothèque resterait fermée jusqu'à la fin du mois à cause des
travaux. Les livres empruntés pourront être rendus plus tard, sans pénalité.`,

  spanish: `Querida Lucía: te escribo desde el tren, así que perdona la letra. Salimos de Madrid a
las ocho y media y llegaremos a Sevilla antes de comer. El niño que viaja enfrente lleva una hora
contando vacas y ya va por ciento doce. Mi madre insiste en que me quede hasta el domingo, pero el
lunes tengo que entregar el informe y todavía no he empezado la última parte. ¿Te acuerdas de la
panadería de la esquina? La han cerrado, y en su lugar van a abrir una tienda de teléfonos. El barrio
cambia tan deprisa que casi no lo reconozco. Cuéntame cómo va la casa nueva y si ya tenéis cocina.

Antes de llamar al servicio técnico, compruebe que el cable está bien conectado y que hay corriente
en el enchufe. Mantenga pulsado el botón durante diez segundos y espere a que se apague la luz verde.
Si el problema continúa, anote el número que aparece en la pantalla y téngalo a mano.

Los vecinos piden desde hace meses más árboles y menos coches en la plaza. El ayuntamiento responde
que las obras empezarán en otoño y que durarán, como mínimo, medio año.`,

  russian: `Дорогая Наташа! Спасибо тебе за письмо и за фотографии, мы рассматривали их весь вечер.
У нас наконец наступила весна: снег почти растаял, на реке шумит вода, и дети целый день бегают во
дворе без шапок. Бабушка, конечно, ворчит, но и сама выходит посидеть на лавочке. Я устроилась на
новую работу, в библиотеку недалеко от дома. Платят немного, зато спокойно, и можно читать сколько
хочешь. Летом мы собираемся поехать к морю, если получится взять отпуск в одно время. Приезжай к нам
в августе, когда поспеют яблоки, места хватит всем.

Перед началом работы внимательно прочитайте инструкцию. Установите прибор на ровную поверхность и
подключите его к сети. Не закрывайте отверстия на задней стенке и не ставьте рядом ёмкости с водой.
Если загорелась красная лампочка, выключите прибор и подождите несколько минут.

Учёные наблюдали за поведением птиц в течение пяти лет и заметили, что стаи стали возвращаться на
неделю раньше. Причины пока неясны, но авторы связывают это с тёплыми зимами последних лет.`,

  chinese: `亲爱的小林：你寄来的茶叶昨天收到了，谢谢你还记得我喜欢喝绿茶。这边已经入秋，早晚有些凉，
院子里的桂花开了，满屋子都是香味。孩子上小学了，每天回来都要讲学校里的事，讲到一半又跑去看漫画。我换了工作，
离家近，走路十分钟就到，只是比以前忙一些。上个周末我们去爬山，走到半路下起雨来，大家躲在亭子里吃光了带来的
点心。你什么时候有空过来住几天？家里有一间空房，阳台正对着河，晚上可以看见对岸的灯。

使用前请先把电池充满。将机器放在平稳的桌面上，打开后盖，把滤芯轻轻推进去，听到咔嗒一声就表示装好了。第一次
使用时，请先用清水冲洗两遍。如果红灯一直亮着，说明滤芯没有装到位，请取出来重新安装。

记者从市政府了解到，新的地铁线路将于明年春天开工，预计三年后通车。沿线设有二十一个车站，其中四个可以换乘。
居民普遍表示欢迎，也有人担心施工期间的噪音和交通问题。`,
} as const;
