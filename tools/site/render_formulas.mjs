// Sets formulas with MathJax, as long as someone asks:  node render_formulas.mjs
// A line of input is a JSON array of {"latex", "display"}; the line that answers it is
// {"formulas": [SVG …], "glyphs": {id: path …}}. The SVGs refer to their glyphs by id, so that a page
// holds each glyph once. What does not parse comes back as {"error": message} in its place.
import { createInterface } from 'node:readline';
import { liteAdaptor } from 'mathjax-full/js/adaptors/liteAdaptor.js';
import { RegisterHTMLHandler } from 'mathjax-full/js/handlers/html.js';
import { TeX } from 'mathjax-full/js/input/tex.js';
import { AllPackages } from 'mathjax-full/js/input/tex/AllPackages.js';
import { mathjax } from 'mathjax-full/js/mathjax.js';
import { SVG } from 'mathjax-full/js/output/svg.js';

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const packages = AllPackages.filter((name) => name !== 'noerrors' && name !== 'noundefined');
const input = new TeX({
  packages,
  formatError: (_, error) => {
    throw error;
  },
});
const output = new SVG({ fontCache: 'global' });
const document = mathjax.document('', { InputJax: input, OutputJax: output });

const inEm = (_, name, ex) => `${name}${Number((Number(ex) / 2).toFixed(3))}em`;

function set({ latex, display }) {
  let container;
  try {
    container = document.convert(latex, { display });
  } catch (error) {
    return { error: error.message };
  }
  return (
    adaptor
      .innerHTML(container)
      // What only MathJax's own tools read.
      .replace(/ (data-mml-node|data-mjx-texclass|data-c|data-latex|xmlns(:xlink)?|focusable|role)="[^"]*"/g, '')
      .replace(/xlink:href="#MJX-TEX-/g, 'href="#m-')
      .replace(/><\/(use|rect|path)>/g, '/>')
      // An ex is half an em to MathJax, whatever the font of the page says.
      .replace(/(vertical-align: |width="|height=")(-?[\d.]+)ex/g, inEm)
      .replace(/<g>((?:(?!<g).)*?)<\/g>/g, '$1')
  );
}

let sent = 0; // the cache keeps its order: what is new stands at the end
for await (const line of createInterface({ input: process.stdin })) {
  const formulas = JSON.parse(line).map(set);
  const known = [...output.fontCache.cache];
  const glyphs = Object.fromEntries(known.slice(sent).map(([id, path]) => [id.replace('MJX-TEX-', 'm-'), path]));
  sent = known.length;
  process.stdout.write(JSON.stringify({ formulas, glyphs }) + '\n');
}
