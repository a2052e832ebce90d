import type { Help } from "../help.ts";

export const HELP: Help = {
  title: "faregate：语言模型的预付费网关",
  commands: `  faregate serve                          启动服务；首次启动会创建一个账户和一个密钥
  faregate serve --new                    数据目录中有文件丢失时同样启动：重新创建该文件
  faregate account create --name N [--hard] [--overdraft 5.00]
  faregate account set ID [--name N] [--hard yes|no] [--overdraft 5.00]
  faregate account list
  faregate key create --name N [--account ID] [设置]
  faregate key list [--account ID]
  faregate key set ID [--name N] [设置]
  faregate key disable ID
  faregate key enable ID
  faregate key rotate ID [--overlap-hours 24]   轮换密钥；旧值在此期间继续有效
  faregate key delete ID                  永久删除；计费明细仍会保留
  faregate operator link                  进入控制台的链接，供新增一位管理员
  faregate operator reset EMAIL           让某人设置新密码的链接
  faregate platform                       只启动公众号平台
  faregate platform account               本安装的公众号的 AppID 与 AppSecret
  faregate platform account set [权限]
  faregate platform token [--third-party --sets 11,100]
  faregate draft new --brief TEXT --model M [文章]         由模型撰写文章，存为草稿
  faregate draft push FILE.md|FILE.html [文章]             用自己的文字建草稿
                       [--update | --new]      当文件已是草稿时
  faregate draft ls | get ID | rm ID | retry ID [--as-new]
  faregate draft update ID [FILE] [文章]
  faregate draft doctor [--account A] | themes
  faregate draft account ls | default NAME
  faregate draft account add NAME --appid ID [接入]        添加公众号；会询问其 AppSecret
  faregate mcp                            通过标准输入输出，供智能体使用草稿
  faregate topup --account ID 10.00 [--note TEXT] [--id IDEMPOTENCY-KEY]
  faregate usage [--account ID] [--key ID] [--days 30]
  faregate health [--ready]               询问此设置下的服务器是否存活，或是否就绪
  faregate verify                         检查文件，并重新计算账目中的每个总数
  faregate doctor [--live]                全面检查一次，并说明该怎么做；--live 还会向供应商发出
                                          少量计费的请求，并比较其回答
  faregate backup FILE [--force] [--with-secret]  同一时刻的全部数据，服务器可继续运行
  faregate restore FILE [--force] [--accept-problems]   把备份恢复到数据文件夹，先校验再生效
  faregate migrate --to postgres://… [--accept-problems]   把此安装从文件迁移到空的 PostgreSQL
  faregate upgrade --check                说明此版本下次启动时会改变什么；命令本身不做任何更改
  faregate secret rotate                  为所有加密内容换用新的密钥；请先停止服务器
  faregate secret accept                  原密钥已丢失时，改用当前设置的或新的密钥
  faregate version                        显示此 Faregate 的版本`,
  parts: {
    "[设置]": `密钥的设置：
  --budget 1.50|none                           总预算
  --budget-day 1.50|none  --budget-week 5|none  --budget-month 20|none
  --time-zone Asia/Shanghai                    日、周、月从何处的零点开始（UTC）
  --models a,b|all      --networks 10.0.0.0/8,…|all
  --rpm N  --tpm N  --concurrency N            每分钟请求数、token 数；并发数（0：不限）
  --expires 2027-01-31|never                   最后有效的一天，按终端的时区；也可写时间，
                                               例如 2027-01-31T12:00:00Z
  --hard yes|no         --account-read yes|no  --show-cost yes|no`,
    "[权限]": `公众号的权限：
  --type subscription|service|other            --product ok|restricted|off
  --verified yes|no     --comments yes|no      --networks 10.0.0.0/8,…|all
  --callback https://…|none                    草稿发布后通知的地址`,
    "[文章]": `文章：
  --title T  --author A  --digest D  --theme T --cover FILE|URL  --source-url URL
  --account A                                  公众号的名称或 id
  --language L  --length short|medium|long|N   --tone T（用于写作要求）
  --dry-run             --key IDEMPOTENCY-KEY  --publish  --allow-outside（其他文件夹中的图片）`,
    "[接入]": `添加公众号时：
  --platform-url URL|built-in  --proxy-url http://HOST:PORT  --author A  --no-default  --allow-publish
  --stdin                                      从标准输入读取密钥：AppSecret，或 JSON
  --supplied | --token-url URL                 token 由其他服务获取
  --component-appid ID                         第三方平台`,
  },
  families: {
    draft: `草稿的命令连接 FAREGATE_URL，或此文件夹的服务器，或自行启动一个；使用 FAREGATE_API_KEY，
或密钥“command line”。退出码：2 输入有误，3 设置、权限或地址，4 限额，
5 平台的结果未知，6 要推送的文件已是草稿。`,
  },
  end: `除启动服务的命令外，每个命令都可加 --json。设置取自环境变量：FAREGATE_DATA（./data）、DATABASE_URL、
FAREGATE_HOST（127.0.0.1）、FAREGATE_PORT（8080）、FAREGATE_LANG（en、zh；否则依终端的
LC_ALL、LC_MESSAGES 或 LANG）；全部见 docs/settings.md。`,
};
