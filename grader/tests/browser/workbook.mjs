// A copy of the workbook for a test to work in, so that a learner's own kernels and progress stay as they are.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const tool = process.env.GRADE_TOOL ?? path.join(root, 'build/cpu/bin/grade');

// What a checkout has beside its own files, and must not be seen here.
const left = new Set(['.git', '.grade', 'training', 'lessons', 'progress.json']);

export class Workbook {
  static async make() {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'grade-browser-'));
    for (const name of await fs.readdir(root)) {
      if (left.has(name) || name.startsWith('progress.json')) continue;
      await fs.symlink(path.join(root, name), path.join(folder, name));
    }
    await fs.cp(path.join(root, 'lessons'), path.join(folder, 'lessons'), {
      recursive: true,
      filter: (source) => path.basename(source) !== 'kernel.cu',
    });
    return new Workbook(folder);
  }

  constructor(folder) {
    this.folder = folder;
    const { GRADE_PROGRESS, GRADE_AUTHOR, GRADE_NOW, ...environment } = process.env;
    this.environment = { ...environment, GRADE_ROOT: folder };
  }

  path(...parts) {
    return path.join(this.folder, ...parts);
  }

  // Runs `grade …`; its exit code and what it said.
  grade(...options) {
    return new Promise((resolve) => {
      execFile(tool, options, { env: this.environment, cwd: this.folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });
  }

  async progress(lesson) {
    const text = await fs.readFile(this.path('progress.json'), 'utf8').catch(() => '{}');
    return JSON.parse(text).lessons?.[lesson] ?? {};
  }

  // The address that `grade serve` prints.
  async serve() {
    this.server = spawn(tool, ['serve', '--port', '0'], { env: this.environment, cwd: this.folder });
    let said = '';
    for (const stream of [this.server.stdout, this.server.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    for (let waited = 0; waited < 120_000; waited += 20) {
      const found = said.match(/http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]+/);
      if (found) return found[0];
      if (this.server.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`grade serve: ${said}`);
  }

  async end() {
    if (this.server?.exitCode === null) {
      const exit = once(this.server, 'exit');
      this.server.kill('SIGINT');
      await exit;
    }
    await fs.rm(this.folder, { recursive: true, force: true });
  }
}
