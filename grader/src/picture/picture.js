'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const {launches, arrays, steps, findings, lines} = data;
  if (steps.length === 0) return;
  const $ = (id) => document.getElementById(id);
  const make = (tag, attributes = {}, text = '') => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== '') node.textContent = text;
    return node;
  };
  const drawn = (tag, attributes) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };
  const launchOf = (step) => step.l ?? 0;
  const isAccess = (step) => step.at !== undefined;
  const isBarrier = (step) => step.k === 'barrier' || step.k === 'grid_barrier';
  const lanesOf = (mask) => {
    const lanes = [];
    for (let lane = 0; lane < 32; ++lane) if ((mask >>> lane) & 1) lanes.push(lane);
    return lanes;
  };
  const hue = (lane) => String(Math.round(lane * 360 / 33 + 20) % 360);
  const triple = (linear, extents) => {
    const [x, y] = extents;
    return '(' + [linear % x, Math.floor(linear / x) % y, Math.floor(linear / x / y)].join(',') + ')';
  };

  // Every element that a step touches: calls use(array, element, lane).
  const eachElement = (step, use) => {
    for (const [array, mask, elements] of step.at ?? []) {
      const wide = Math.max(1, Math.floor(step.y / arrays[array].bytes));
      lanesOf(mask).forEach((lane, i) => {
        for (let more = 0; more < wide; ++more) use(array, elements[i] + more, lane);
      });
    }
  };

  const findingsOf = steps.map(() => []);
  for (const finding of findings) findingsOf[finding.t].push(finding);

  // ---- Arrays as tables ----

  // Few columns fit a page; a row of shared memory is a pass over the banks.
  const shapeOf = (array) => {
    const last = array.extents.length > 0 ? array.extents[array.extents.length - 1] : array.length;
    const flat = array.extents.length < 2;
    const most = flat ? (array.shared ? Math.max(1, 128 / array.bytes) : 16) : 64;
    return {columns: Math.max(1, Math.min(last, most)), natural: !flat && last <= most};
  };
  const nameOf = (array, element) => {
    if (array.extents.length === 0) return `${array.name}[${element}]`;
    const parts = [];
    let rest = element;
    for (let i = array.extents.length - 1; i >= 0; --i) {
      const before = i > 0 ? Math.floor(rest / array.extents[i]) : 0;  // the first one takes the rest
      parts.unshift((array.axes[i] ? array.axes[i] + '=' : '') + (rest - before * array.extents[i]));
      rest = before;
    }
    return array.axes.some(Boolean) ? `${array.name}[${parts.join(', ')}]`
                                    : `${array.name}[${parts.join('][')}]`;
  };

  // Which elements of each array, and which warps of each launch, any step has to do with.
  const touched = arrays.map(() => new Set());
  const usedIn = launches.map(() => new Set());
  const warpsOf = launches.map(() => new Set());
  for (const step of steps) {
    eachElement(step, (array, element) => {
      touched[array].add(element);
      usedIn[launchOf(step)].add(array);
    });
    if (step.w !== undefined) warpsOf[launchOf(step)].add(step.w);
  }
  for (const finding of findings) {
    for (const [, element] of finding.h) touched[finding.a].add(element);
    usedIn[launchOf(steps[finding.t])].add(finding.a);
  }

  const mostRows = 48;
  const mostOutside = 32;
  const tables = arrays.map((array, index) => {
    const {columns, natural} = shapeOf(array);
    const inside = [];
    const outside = [];
    for (const element of touched[index]) {
      (element >= 0 && element < array.length ? inside : outside).push(element);
    }
    let first = Infinity;
    let last = -1;
    for (const element of inside) {
      const row = Math.floor(element / columns);
      first = Math.min(first, row);
      last = Math.max(last, row);
    }
    // Small arrays are drawn whole.
    const rows = Math.ceil(array.length / columns);
    if (rows <= 12) [first, last] = [0, rows - 1];
    const cut = last - first + 1 > mostRows;
    if (cut) last = first + mostRows - 1;
    const tall = last - first >= 12;

    const cells = new Map();
    const node = make('div', {class: tall ? 'array tall' : 'array'});
    const what = make('p', {class: 'what'});
    what.append(make('b', {}, array.name));
    const size = array.extents.length > 1 ? array.extents.join(' × ') : String(array.length);
    const axes = array.axes.some(Boolean) ? ` (${array.axes.join(', ')})` : '';
    what.append(` ${array.shared ? 'shared' : 'global'}, ${size}${axes}, ${array.bytes} bytes each`);
    if (last - first + 1 < rows) {
      const unit = natural ? 'rows' : `rows of ${columns}`;
      what.append(`; ${unit} ${first} to ${last} of ${rows} shown` + (cut ? ' (there is more)' : ''));
    }
    node.append(what);
    const frame = make('div', {class: 'grid'});
    const table = make('table', {'aria-hidden': 'true'});
    node.style.setProperty('--size', columns > 16 ? '1.25rem' : columns > 8 ? '1.7rem' : '2.5rem');
    const head = make('tr');
    const [down, across] = array.axes.length === 2 && natural ? array.axes : ['', ''];
    head.append(make('th', {class: 'corner'}, across ? `${down}↓ ${across}→` : ''));
    for (let column = 0; column < columns; ++column) head.append(make('th', {}, String(column)));
    const header = make('thead');
    header.append(head);
    const body = make('tbody');
    let beyond = null;
    for (let row = first; row <= last; ++row) {
      const line = make('tr');
      line.append(make('th', {}, String(natural ? row : row * columns)));
      for (let column = 0; column < columns; ++column) {
        const element = row * columns + column;
        if (element >= array.length) {
          line.append(make('td', {class: 'cell none'}));
          continue;
        }
        const cell = make('td', {class: 'cell', title: nameOf(array, element)});
        cells.set(element, cell);
        line.append(cell);
      }
      body.append(line);
    }
    if (outside.length > 0) {
      const line = make('div', {class: 'beyond', 'aria-hidden': 'true'});
      line.append('outside it:');
      for (const element of outside.sort((a, b) => a - b).slice(0, mostOutside)) {
        const cell = make('span', {title: nameOf(array, element), class: 'cell outside'});
        cells.set(element, cell);
        line.append(cell);
      }
      beyond = line;
    }
    table.append(header, body);
    frame.append(table);
    node.append(frame);
    if (beyond) node.append(beyond);
    return {node, cells};
  });

  // "3", "0–7", "×5"
  const label = (lanes) => {
    if (lanes.length === 1) return String(lanes[0]);
    const whole = lanes[lanes.length - 1] - lanes[0] + 1 === lanes.length;
    return whole ? `${lanes[0]}–${lanes[lanes.length - 1]}` : `×${lanes.length}`;
  };

  const sectorsOf = (index, element, bytes) => {
    const array = arrays[index];
    const begin = array.offset + element * array.bytes;
    const sectors = [];
    for (let s = Math.floor(begin / 32); s <= Math.floor((begin + bytes - 1) / 32); ++s) {
      sectors.push(s);
    }
    return sectors;
  };

  const drawArrays = (at) => {
    const step = steps[at];
    const launch = launchOf(step);
    const wanted = [...usedIn[launch]].sort((a, b) => (arrays[a].shared - arrays[b].shared) || a - b);
    const now = wanted.map((index) => tables[index].node);
    const shown = [...$('arrays').children];
    if (now.length !== shown.length || now.some((node, i) => node !== shown[i])) {
      $('arrays').replaceChildren(...now);
    }
    for (const index of wanted) {
      tables[index].node.classList.remove('on');
      for (const cell of tables[index].cells.values()) {
        cell.className = cell.classList.contains('outside') ? 'cell outside' : 'cell';
        cell.textContent = '';
        cell.style.removeProperty('--hue');
      }
    }
    // What was read and written before: global memory in all launches, shared memory in this block.
    for (let i = 0; i < at; ++i) {
      const earlier = steps[i];
      if (!isAccess(earlier)) continue;
      const here = launchOf(earlier) === launch && earlier.b === step.b;
      eachElement(earlier, (array, element) => {
        if (arrays[array].shared && !here) return;
        const cell = tables[array].cells.get(element);
        if (!cell) return;
        if (earlier.k !== 'store') cell.classList.add('read');
        if (earlier.k !== 'load') cell.classList.add('written');
      });
    }
    const lanesAt = new Map();
    eachElement(step, (array, element, lane) => {
      const key = array + ' ' + element;
      if (!lanesAt.has(key)) lanesAt.set(key, {array, element, lanes: []});
      lanesAt.get(key).lanes.push(lane);
    });
    if (isAccess(step) && !step.s) {
      const moved = new Set();
      eachElement(step, (array, element) => {
        for (const sector of sectorsOf(array, element, arrays[array].bytes)) {
          moved.add(array + ' ' + sector);
        }
      });
      for (const index of new Set(step.at.map(([array]) => array))) {
        for (const [element, cell] of tables[index].cells) {
          if (lanesAt.has(index + ' ' + element)) continue;
          if (sectorsOf(index, element, arrays[index].bytes)
                  .some((sector) => moved.has(index + ' ' + sector))) {
            cell.classList.add('moved');
          }
        }
      }
    }
    for (const {array, element, lanes} of lanesAt.values()) {
      tables[array].node.classList.add('on');
      const cell = tables[array].cells.get(element);
      if (!cell) continue;
      cell.classList.add('touched');
      if (step.k === 'store') cell.classList.add('stored');
      if (step.k === 'atomic') cell.classList.add('updated');
      cell.style.setProperty('--hue', hue(lanes[0]));
      cell.textContent = label(lanes);
    }
    for (const finding of findingsOf[at]) {
      for (const [, element] of finding.h) {
        tables[finding.a].cells.get(element)?.classList.add('wrong');
      }
    }
  };

  // ---- Banks ----

  const drawBanks = (step) => {
    const panel = $('banks');
    panel.hidden = !steps.some((each) => each.s && launchOf(each) === launchOf(step));
    if (panel.hidden) return;
    const wanted = Array.from({length: 32}, () => 0);
    if (step.s) {
      // 8-byte accesses are made half a warp at a time, those of 16 bytes a quarter.
      const together = step.y <= 4 ? 32 : step.y <= 8 ? 16 : 8;
      const words = new Map();
      for (const [index, mask, elements] of step.at) {
        lanesOf(mask).forEach((lane, i) => {
          const begin = arrays[index].offset + elements[i] * arrays[index].bytes;
          const last = Math.floor((begin + step.y - 1) / 4);
          for (let word = Math.floor(begin / 4); word <= last; ++word) {
            const key = Math.floor(lane / together) + ' ' + word % 32;
            if (!words.has(key)) words.set(key, new Set());
            words.get(key).add(index + ' ' + word);
          }
        });
      }
      for (const [key, different] of words) {
        const bank = Number(key.split(' ')[1]);
        wanted[bank] = Math.max(wanted[bank], different.size);
      }
    }
    const most = Math.max(2, ...wanted);
    const bars = $('bank-bars');
    bars.setAttribute('viewBox', '0 0 640 76');
    bars.setAttribute('role', 'img');
    bars.setAttribute('aria-label', step.s ? `most words wanted of one bank: ${Math.max(...wanted)}`
                                           : 'no access of shared memory in this step');
    bars.replaceChildren();
    wanted.forEach((count, bank) => {
      const height = 42 * count / most;
      bars.append(drawn('rect', {x: bank * 20 + 3, y: 58 - height, width: 14, height,
                                 class: count > 1 ? 'waste' : ''}));
      const below = drawn('text', {x: bank * 20 + 10, y: 71});
      below.textContent = String(bank);
      bars.append(below);
      if (count > 0) {
        const above = drawn('text', {x: bank * 20 + 10, y: 54 - height});
        above.textContent = String(count);
        bars.append(above);
      }
    });
  };

  // ---- Threads ----

  let threadsOf = -1;
  let lanes = new Map();
  const buildThreads = (launch) => {
    if (threadsOf === launch) return;
    threadsOf = launch;
    lanes = new Map();
    const {block} = launches[launch];
    const count = block[0] * block[1] * block[2];
    const all = Math.ceil(count / 32);
    const shown = [...warpsOf[launch]].sort((a, b) => a - b);
    const rows = make('div', {class: 'warps', 'aria-hidden': 'true'});
    for (const warp of shown) {
      const row = make('div', {class: 'warp'});
      row.append(make('span', {}, `warp ${warp}`));
      const squares = [];
      for (let lane = 0; lane < 32 && warp * 32 + lane < count; ++lane) {
        const square = make('i', {title: `thread ${triple(warp * 32 + lane, block)}, lane ${lane}`});
        squares.push(square);
        row.append(square);
      }
      lanes.set(warp, {row, squares});
      rows.append(row);
    }
    const frame = make('div', {class: 'scroll'});
    frame.append(rows);
    $('threads').replaceChildren(frame);
    if (shown.length < all) {
      const idle = all - shown.length;
      $('threads').append(make('p', {class: 'quiet'},
          `${idle} other ${idle === 1 ? 'warp touches' : 'warps touch'} no memory in these steps.`));
    }
  };
  const drawThreads = (at) => {
    const step = steps[at];
    const launch = launchOf(step);
    buildThreads(launch);
    $('block').textContent = triple(step.b, launches[launch].grid) + ' of ' + launches[launch].name;
    const wrong = new Set(findingsOf[at].flatMap((finding) => finding.h.map(([lane]) => lane)));
    for (const [warp, {row, squares}] of lanes) {
      row.classList.toggle('now', warp === step.w);
      if (warp === step.w) {
        const frame = $('threads').firstChild;
        const top = row.offsetTop - frame.offsetTop;
        if (top < frame.scrollTop || top + 20 > frame.scrollTop + frame.clientHeight) {
          frame.scrollTop = top - frame.clientHeight / 2;
        }
      }
      squares.forEach((square, lane) => {
        const meets = isBarrier(step) || (warp === step.w && step.k === 'warp' &&
                                          (step.m >>> lane) & 1);
        const touches = isAccess(step) && warp === step.w && (step.m >>> lane) & 1;
        square.className = warp === step.w && wrong.has(lane) ? 'wrong'
                         : meets ? 'meets' : touches ? 'touched' : '';
        square.textContent = touches || (meets && !isBarrier(step)) ? String(lane) : '';
        square.style.setProperty('--hue', hue(lane));
      });
    }
  };

  // ---- Source ----

  const drawSource = (at) => {
    for (const line of document.querySelectorAll('.source .here, .source .there')) {
      line.classList.remove('here', 'there', 'wrong');
    }
    const here = $(lines[steps[at].p]);
    const errors = findingsOf[at].filter((finding) => finding.e);
    for (const finding of errors) {
      if (finding.o !== undefined) $(lines[steps[finding.o].p])?.classList.add('there');
    }
    if (!here) return;
    here.classList.add('here');
    if (errors.length > 0) here.classList.add('wrong');
    const frame = $('code');
    const box = here.getBoundingClientRect();
    const around = frame.getBoundingClientRect();
    if (box.top < around.top + 20 || box.bottom > around.bottom - 20) {
      frame.scrollTop += box.top - around.top - frame.clientHeight / 3;
    }
  };

  // ---- The strip ----

  const timeline = $('timeline');
  const kindOf = (step, i) => {
    if (step.bad || findingsOf[i].some((finding) => finding.e)) return 'error';
    if (findingsOf[i].length > 0) return 'note';
    if (isBarrier(step)) return 'barrier';
    if (!isAccess(step)) return 'warp';
    return step.c[0] > step.c[1] ? 'waste' : 'good';
  };
  const marker = drawn('rect', {class: 'now', y: 0, height: 100, width: 1});
  timeline.setAttribute('viewBox', `0 0 ${steps.length} 100`);
  const top = Math.max(4, ...steps.map((step) => (isAccess(step) ? step.c[0] : 0)));
  let odd = false;
  let begin = 0;
  steps.forEach((step, i) => {
    const next = steps[i + 1];
    if (!next || next.b !== step.b || launchOf(next) !== launchOf(step)) {
      if (odd) timeline.append(drawn('rect', {class: 'odd', x: begin, y: 0, width: i + 1 - begin, height: 100}));
      odd = !odd;
      begin = i + 1;
    }
  });
  steps.forEach((step, i) => {
    const height = isBarrier(step) ? 100 : isAccess(step) ? 12 + 80 * step.c[0] / top : 12;
    const thin = isBarrier(step) ? 0.3 : 0.8;
    timeline.append(drawn('rect', {class: kindOf(step, i), x: i + (1 - thin) / 2, y: 100 - height,
                                   width: thin, height}));
  });
  timeline.append(marker);

  // ---- Going about ----

  const words = [...$('steps').children];
  const slider = $('slider');
  slider.max = String(steps.length);
  let now = 0;
  let playing = null;

  const drawFinding = (at) => {
    const panel = $('finding');
    const race = findingsOf[at].find((finding) => finding.e && finding.o !== undefined);
    panel.hidden = !race;
    if (!race) return;
    const quoted = (text, step) => {
      const id = lines[steps[step].p];
      const line = make('p', {}, `${text}, line ${id.split('-')[1] ?? 'unknown'}: `);
      line.append(make('code', {}, $(id)?.textContent.trim() ?? ''));
      return line;
    };
    const button = make('button', {type: 'button'}, `Go to step ${race.o + 1}`);
    button.addEventListener('click', () => move(race.o));
    panel.replaceChildren(quoted(`This step, warp ${steps[at].w}`, at),
                          quoted(`Step ${race.o + 1}, warp ${steps[race.o].w}`, race.o), button);
  };

  // What is wider than the page is scrolled by keys, too.
  const makeReachable = () => {
    for (const frame of document.querySelectorAll('.scroll, .grid')) {
      if (frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight) {
        frame.setAttribute('tabindex', '0');
        frame.setAttribute('role', 'group');
        frame.setAttribute('aria-label', 'wider than the page: scrolls');
      } else {
        for (const name of ['tabindex', 'role', 'aria-label']) frame.removeAttribute(name);
      }
    }
  };

  const go = (at) => {
    now = Math.min(Math.max(at, 0), steps.length - 1);
    slider.value = String(now + 1);
    slider.setAttribute('aria-valuetext', `step ${now + 1} of ${steps.length}`);
    $('number').textContent = `${now + 1} of ${steps.length}`;
    $('caption').replaceChildren(...[...words[now].childNodes].map((node) => node.cloneNode(true)));
    marker.setAttribute('x', String(now));
    drawArrays(now);
    drawBanks(steps[now]);
    drawThreads(now);
    drawSource(now);
    drawFinding(now);
    makeReachable();
    history.replaceState(null, '', '#' + (now + 1));
  };
  const stop = () => {
    clearInterval(playing);
    playing = null;
    $('play').textContent = '▶ play';
    $('play').setAttribute('aria-label', 'Play');
    $('caption').setAttribute('aria-live', 'polite');
  };
  const play = () => {
    if (playing !== null) return stop();
    if (now === steps.length - 1) go(0);
    $('play').textContent = '⏸ pause';
    $('play').setAttribute('aria-label', 'Pause');
    $('caption').setAttribute('aria-live', 'off');  // else a reader would speak without end
    playing = setInterval(() => {
      if (now === steps.length - 1) return stop();
      go(now + 1);
    }, 700);
  };
  const move = (to) => {
    stop();
    go(to);
  };
  const nextFinding = () => {
    for (let i = 1; i <= steps.length; ++i) {
      const at = (now + i) % steps.length;
      if (findingsOf[at].length > 0 || steps[at].bad) return move(at);
    }
  };

  $('first').addEventListener('click', () => move(0));
  $('back').addEventListener('click', () => move(now - 1));
  $('play').addEventListener('click', play);
  $('on').addEventListener('click', () => move(now + 1));
  $('last').addEventListener('click', () => move(steps.length - 1));
  $('next-finding').hidden = findings.length === 0 && !steps.some((step) => step.bad);
  $('next-finding').addEventListener('click', nextFinding);
  slider.addEventListener('input', () => move(Number(slider.value) - 1));
  timeline.addEventListener('click', (event) => {
    const box = timeline.getBoundingClientRect();
    move(Math.floor((event.clientX - box.left) / box.width * steps.length));
  });
  for (const button of document.querySelectorAll('[data-step]')) {
    button.addEventListener('click', () => move(Number(button.dataset.step)));
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const on = event.target;
    const scrolls = on.matches('.scroll, .grid');  // by the same keys
    const keys = {
      ArrowLeft: () => move(now - 1),
      ArrowRight: () => move(now + 1),
      Home: () => move(0),
      End: () => move(steps.length - 1),
      f: nextFinding,
    };
    if (event.key === ' ') {
      if (on.tagName === 'BUTTON' || on.tagName === 'SUMMARY' || scrolls || on.id === 'code') {
        return;
      }
      play();
    } else if (keys[event.key] && (!scrolls || event.key === 'f')) {
      keys[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  });
  window.addEventListener('resize', makeReachable);
  window.addEventListener('hashchange', () => move((Number(location.hash.slice(1)) || 1) - 1));
  $('all').open = false;
  go((Number(location.hash.slice(1)) || 1) - 1);
})();
