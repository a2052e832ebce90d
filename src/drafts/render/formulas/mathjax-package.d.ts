// MathJax comes without types. `mathjax.ts` has those of what we use.
declare module "mathjax/*";
declare module "@mathjax/*";
