// The pages, in a browser: from our server, and with that stopped from a plain host, also below a path.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { accessible } from './accessible.mjs';
import { launch } from './browser.mjs';
import { host, serve, skillmirror } from './hosts.mjs';
import { reading } from './reading.mjs';
import { writeSamples } from './samples.mjs';
import { using } from './using.mjs';

const folder = mkdtempSync(join(tmpdir(), 'skillmirror-pages-'));
const [data, tree] = ['data', 'public'].map((name) => join(folder, name));
const places = ['--data', data, '--public', tree];
const world = {};

before(async () => {
  writeSamples(join(folder, 'skills'));
  world.browser = await launch();
});

after(async () => {
  await world.browser?.close();
  rmSync(folder, { recursive: true });
});

/** The tests of `suites` against a host that `start` starts. */
function at(name, start, suites) {
  describe(name, () => {
    before(async () => Object.assign(world, await start()));
    after(() => world.stop?.());
    for (const suite of suites) suite(world);
  });
}

at('the server', async () => {
  // Makes the registry, so that there are users and namespaces to import to.
  const first = await serve(...places);
  await first.stop();
  for (const namespace of ['global', 'team', 'hostile']) {
    skillmirror('import', join(folder, 'skills', namespace), '--namespace', namespace, ...places);
  }
  return serve(...places);
}, [reading, using, accessible]);

at('a plain host', () => host(tree, '/'), [reading, using]);

at('a plain host, below a path', async () => {
  const config = join(folder, 'config.toml');
  writeFileSync(config, "public_url = 'https://skills.example/mirror/of'\n");
  skillmirror('generate', '--config', config, '--data', data, '--out', tree);
  return host(tree, '/mirror/of/');
}, [reading, using]);
