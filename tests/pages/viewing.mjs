// The files of a version in its page: texts, lines, pictures, differences, and what is hostile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { focused, ran, visit } from './browser.mjs';

const PAGE = 'team/viewed/1.1.0/';

/** Opens the file of this name, and returns its element when it shows something. */
async function open(page, name) {
  const file = await page.waitForSelector(`xpath/.//details[summary/bdi[text()="${name}"]]`);
  await file.evaluate((details) => {
    details.open = true;
  });
  await page.waitForFunction((details) => details.querySelector('.tools'), {}, file);
  return file;
}

export function viewing(world) {
  test('a version page is readable without JavaScript', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.setJavaScriptEnabled(false);
      await page.goto(`${world.address}${PAGE}`);
      const changes = await page.$$eval('.changes li', (all) => all.map((each) => each.innerText.split('\n')[0]));
      assert.ok(changes.some((line) => /^changed scripts\/run\.py/.test(line)), changes.join('\n'));
      assert.ok(changes.some((line) => /^removed old\.txt/.test(line)), changes.join('\n'));
      const script = await page.waitForSelector('xpath/.//details[summary/bdi[text()="run.py"]]');
      await (await script.$('summary')).click();
      assert.equal(await script.$eval('.code', (code) => code.textContent), 'def one():\n    return 2\n');
      const shown = await script.$$eval('.code i', (all) => all.map((line) => getComputedStyle(line, '::before').content));
      assert.deepEqual(shown, ['counter(line)', 'counter(line)']);
      assert.deepEqual(problems, []);
    });
  });

  test('a link of the readme opens its file', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}team/viewed/`);
      await Promise.all([page.waitForNavigation(), page.$eval('.prose a[href*="#file-"]', (link) => link.click())]);
      assert.match(page.url(), /team\/viewed\/1\.1\.0\/#file-\d+$/);
      await page.waitForFunction(() => document.querySelector(':target').closest('details').open);
      assert.equal(await page.$eval(':target', (target) => target.closest('details').querySelector('bdi').textContent), 'run.py');
      assert.deepEqual(problems, []);
    });
  });

  test('a file of one mebibyte opens as a whole', async (context) => {
    const tries = [];
    for (let i = 0; i < 3; i++) {
      await visit(world.browser, world.address, async (page, problems) => {
        await page.goto(`${world.address}${PAGE}`);
        await page.evaluate(() => {
          globalThis.waits = [];
          new PerformanceObserver((list) => waits.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
        });
        const file = await page.waitForSelector('xpath/.//details[summary/bdi[text()="large.py"]]');
        tries.push(await file.evaluate(async (details) => {
          const start = performance.now();
          details.open = true;
          while (!details.querySelector('.code')) await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          const opened = performance.now() - start;
          for (let frames = 0; frames < 30; frames++) await new Promise(requestAnimationFrame);
          return Math.max(opened, ...globalThis.waits);
        }));
        assert.ok(await file.evaluate((details) => details.querySelectorAll('i').length) > 20_000);
        assert.deepEqual(problems, []);
      });
    }
    // Other programs may take the processor meanwhile, so this is no assertion.
    context.diagnostic(`until it is shown, and the longest wait of the page: ${Math.round(Math.min(...tries))} ms`);
  });

  test('a link to lines marks them, and a click on a number links', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}${PAGE}`);
      const large = await open(page, 'large.py');
      const id = await large.$eval('[id^=file-]', (body) => body.id);
      await page.goto('about:blank');
      await page.goto(`${world.address}${PAGE}#${id}-L20000-L20002`);
      await page.waitForFunction(() => document.querySelectorAll('.marked').length === 3);
      assert.match(await page.$eval('.marked', (line) => line.textContent), /^value_19999 /);
      assert.ok(await page.$eval('.marked', (line) => line.getBoundingClientRect().top < innerHeight));
      const box = await page.$eval('.marked', (line) => {
        const { x, y, height } = line.getBoundingClientRect();
        return { x, y: y + height / 2, height };
      });
      await page.mouse.click(box.x + 10, box.y + box.height);
      await page.waitForFunction(() => /-L20001$/.test(location.hash));
      await page.waitForFunction(() => document.querySelectorAll('.marked').length === 1);
      assert.deepEqual(problems, []);
    });
  });

  test('code is colored', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}${PAGE}`);
      const file = await open(page, 'run.py');
      await page.waitForFunction((details) => details.querySelector('.is-kwd'), {}, file);
      assert.equal(await file.$eval('.is-kwd', (word) => word.textContent), 'def');
      assert.equal(await file.$eval('.code', (code) => code.textContent), 'def one():\n    return 2\n');
      assert.deepEqual(problems, []);
    });
  });

  test('a picture is drawn, and what is none is not', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}${PAGE}`);
      const file = await open(page, 'picture.png');
      await page.waitForFunction((details) => details.querySelector('canvas'), {}, file);
      const drawn = await file.$eval('canvas', (canvas) => {
        const [red] = canvas.getContext('2d').getImageData(3, 3, 1, 1).data;
        return [canvas.width, canvas.height, red, canvas.getAttribute('aria-label')];
      });
      assert.deepEqual(drawn, [64, 32, 120, 'picture.png']);
      const other = await open(page, 'no-picture.png');
      await page.waitForFunction((details) => /it is damaged/.test(details.textContent), {}, other);
      const large = await open(page, 'other.png');
      await page.waitForFunction((details) => /it is too large/.test(details.textContent), {}, large);
      assert.deepEqual(problems, []);
    });
  });

  test('the difference of a changed file is shown', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}${PAGE}`);
      await page.$$eval('.changes a', (all) => all.find((link) => /run\.py/.test(link.textContent)).click());
      await page.waitForSelector('.difference');
      const lines = await page.$$eval('.difference :is(i, ins, del)', (all) => all.map((line) => `${line.tagName} ${line.textContent}`));
      assert.deepEqual(lines, ['I def one():', 'DEL     return 1', 'INS     return 2']);
      const file = await open(page, 'run.py');
      await (await file.$('[aria-pressed=true]')).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => !document.querySelector('.difference'));
      await page.keyboard.press('Enter');
      await page.waitForSelector('.difference');
      assert.match(await focused(page), /^Changes since 1\.0\.0/);
      assert.deepEqual(problems, []);
    });
  });

  test('hostile files are shown as text and do nothing', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}${PAGE}`);
      for (const name of ['page.html', 'image.svg', 'ملف.md', 'odd.txt', 'line.txt', 'binary.txt', 'many.txt']) await open(page, name);
      await page.waitForFunction(() => !document.querySelector('.tree').textContent.includes('Reading the package'));
      const text = await page.$eval('.tree', (tree) => tree.textContent);
      for (const shown of ['<svg onload=', '<script>globalThis.ran=1</script>', 'U+202E', '90,000 more characters', 'is not a text file', 'too many lines']) {
        assert.ok(text.includes(shown), shown);
      }
      assert.equal(await page.$$eval('.tree :is(script, img, svg, iframe, form, style)', (all) => all.length), 0);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      assert.equal(await ran(page), false);
      for (const path of ['hostile/fields/1.0.0/', 'hostile/text-1/1.0.0/']) {
        await page.goto(`${world.address}${path}`);
        await page.$$eval('details', (all) => all.forEach((details) => (details.open = true)));
        await page.waitForFunction(() => !document.querySelector('.tree').textContent.includes('Reading the package'));
        assert.equal(await ran(page), false, path);
      }
      assert.deepEqual(problems, []);
    });
  });

  test('a file is copied and saved as it is', async () => {
    await visit(world.browser, world.address, async (page, problems, context) => {
      await context.overridePermissions(new URL(world.address).origin, ['clipboard-read', 'clipboard-sanitized-write']);
      await page.evaluateOnNewDocument(() => {
        const { click } = HTMLElement.prototype;
        HTMLElement.prototype.click = function () {
          if (this.download) globalThis.saved = this.download;
          else click.call(this);
        };
        const { createObjectURL } = URL;
        URL.createObjectURL = (blob) => {
          globalThis.blob = blob;
          return createObjectURL.call(URL, blob);
        };
      });
      await page.goto(`${world.address}${PAGE}`);
      const file = await open(page, 'odd.txt');
      const press = async (label) => {
        const button = await file.waitForSelector(`xpath/.//button[starts-with(., "${label}")]`);
        await button.focus();
        await page.keyboard.press('Enter');
      };
      await press('Copy');
      await page.waitForFunction(() => document.querySelector('[data-announce]').textContent === 'Copied');
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^a\u202eb\u200b\nwords\n/);
      const label = () => file.$eval('.tools button', (button) => button.firstChild.data);
      assert.equal(await label(), 'Copied');
      await page.keyboard.press('Tab');
      assert.equal(await label(), 'Copy');
      await press('Save');
      await page.waitForFunction(() => globalThis.saved);
      assert.equal(await page.evaluate(() => globalThis.saved), 'odd.txt');
      assert.equal(await page.evaluate(() => globalThis.blob.type), 'application/octet-stream');
      assert.match(await page.evaluate(() => globalThis.blob.text()), /^a\u202eb\u200b\nwords\n/);
      await press('Link');
      await page.waitForFunction(async () => /#file-\d+$/.test(await navigator.clipboard.readText()));
      assert.deepEqual(problems, []);
    });
  });

  test('a file that could not be read is read when it is opened again', async () => {
    await visit(world.browser, world.address, async (page) => {
      let isBroken = true;
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        if (isBroken && request.url().includes('download')) request.respond({ status: 503, body: 'Try again.' });
        else request.continue();
      });
      await page.goto(`${world.address}team/tall/1.0.0/`);
      const file = await page.waitForSelector('xpath/.//details[summary/bdi[text()="SKILL.md"]]');
      await file.evaluate((details) => (details.open = true));
      await page.waitForFunction((details) => /cannot be read: the host answered 503/.test(details.textContent), {}, file);
      isBroken = false;
      for (const isOpen of [false, true]) await file.evaluate((details, isOpen) => (details.open = isOpen), isOpen);
      await file.waitForSelector('.code i');
      assert.doesNotMatch(await file.evaluate((details) => details.textContent), /cannot be read/);
    });
  });

  test('a package that cannot be read is said, and nothing else happens', async () => {
    await visit(world.browser, world.address, async (page) => {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        if (request.url().endsWith('.zip')) request.respond({ status: 200, body: 'PK no zip at all, but longer than the end of one' });
        else request.continue();
      });
      await page.goto(`${world.address}${PAGE}`);
      await page.$$eval('details', (all) => all.find((each) => each.querySelector('bdi').textContent === 'large.py').setAttribute('open', ''));
      await page.waitForFunction(() => /cannot be read: it is not a zip/.test(document.querySelector('.tree').textContent));
      assert.ok((await page.$$eval('.code', (all) => all.map((code) => code.textContent))).includes('Same.\n'));
    });
  });
}
