// Runs before anything is drawn, so that nobody who chose the dark theme sees a white page first.
// It is a file of its own because the page's policy allows no script inside the document.

(() => {
  const read = (name: string): string | null => {
    try {
      return localStorage.getItem(name);
    } catch {
      // Storage may be forbidden; the system's choice is used then.
      return null;
    }
  };
  const root = document.documentElement;
  const chosen = read("faregate.theme");
  const dark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  const language = read("faregate.language") ?? navigator.language;
  root.lang = language.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
})();
