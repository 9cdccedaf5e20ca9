// Parses formulas with MathJax:  node check_formulas.mjs FILE
// A line of FILE is a formula: "inline" or "display", a tab, where it stands, a tab, its LaTeX.
// Prints a line for each that does not parse; exit code 1 when there is one.
import { readFileSync } from 'node:fs';
import { liteAdaptor } from 'mathjax-full/js/adaptors/liteAdaptor.js';
import { RegisterHTMLHandler } from 'mathjax-full/js/handlers/html.js';
import { TeX } from 'mathjax-full/js/input/tex.js';
import { AllPackages } from 'mathjax-full/js/input/tex/AllPackages.js';
import { mathjax } from 'mathjax-full/js/mathjax.js';
import { SVG } from 'mathjax-full/js/output/svg.js';

RegisterHTMLHandler(liteAdaptor());
// Without these two packages MathJax reports what it does not know, in place of showing it in red.
const packages = AllPackages.filter((name) => name !== 'noerrors' && name !== 'noundefined');
const input = new TeX({
  packages,
  formatError: (_, error) => {
    throw error;
  },
});
const document = mathjax.document('', { InputJax: input, OutputJax: new SVG({ fontCache: 'none' }) });

let bad = 0;
for (const line of readFileSync(process.argv[2], 'utf8').split('\n')) {
  if (line === '') continue;
  const [kind, where, latex] = line.split('\t');
  try {
    document.convert(latex, { display: kind === 'display' });
  } catch (error) {
    console.log(`${where}: ${latex}: ${error.message}`);
    bad = 1;
  }
}
process.exit(bad);
