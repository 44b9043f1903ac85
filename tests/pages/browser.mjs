// A browser, and the problems that it reports.

import { getuid } from 'node:process';
import puppeteer from 'puppeteer-core';

export function launch() {
  // Containers run tests as root, and Chromium has no sandbox for root.
  const args = getuid() === 0 ? ['--no-sandbox'] : [];
  return puppeteer.launch({ headless: 'shell', executablePath: process.env.CHROMIUM, args });
}

/**
 * Hands `work` a new page, by itself in a context, and `problems`, which are collected as they come: errors, refusals
 * by the Content-Security-Policy, dialogs, scripts of others, requests to other places than `address`.
 */
export async function visit(browser, address, work) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const problems = [];
    page.on('console', (message) => {
      const { url } = message.location();
      // Tests request missing addresses on purpose.
      const isMissing = message.text().includes('404') && url === page.url();
      if (['error', 'warn'].includes(message.type()) && !isMissing) problems.push(`console: ${message.text()} ${url}`);
    });
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) problems.push(`request: ${request.url()}`);
    });
    await page.exposeFunction('refused', (what) => problems.push(`refused: ${what}`));
    await page.evaluateOnNewDocument(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        globalThis.refused(`${violatedDirective} ${blockedURI}`);
      });
    });
    return await work(page, problems, context);
  } finally {
    await context.close();
  }
}

/** Whether a script of the samples ran. */
export function ran(page) {
  return page.evaluate(() => 'ran' in globalThis);
}

/** What has the focus, as a person would say it. */
export function focused(page) {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    return (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent).trim();
  });
}
