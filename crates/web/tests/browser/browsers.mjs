// The browsers that tests run in, behind one face: Chromium by Playwright, Firefox by puppeteer over WebDriver BiDi.

import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";

/** The longest that anything in a page may take, in milliseconds. */
export const PATIENCE = 120_000;

/** What a page does for a test. Selectors are those of CSS. */
class Page {
    constructor(page) {
        this.page = page;
        this.faults = [];
        page.on("console", (message) => {
            // Downloads that break off, and answers that say no, are part of the tests.
            const wanted = /^Failed to load resource|^Loading failed/.test(message.text());
            if (["error", "warning", "warn"].includes(message.type()) && !wanted) this.faults.push(message.text());
        });
        page.on("pageerror", (error) => this.faults.push(error.message));
    }

    goto(address) {
        return this.page.goto(address);
    }

    evaluate(work, argument) {
        return this.page.evaluate(work, argument);
    }

    click(selector) {
        return this.page.click(selector);
    }

    press(key) {
        return this.page.keyboard.press(key);
    }

    reload() {
        return this.page.reload();
    }

    picture(path) {
        return this.page.screenshot({ path });
    }

    close() {
        return this.page.close();
    }

    /** Waits until an expression on the page's document holds. */
    async until(what, work, argument) {
        const end = performance.now() + PATIENCE / 2;
        while (!(await this.evaluate(work, argument))) {
            if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
    }

    /** Waits for an element that is shown. */
    async see(selector) {
        const shown = (selector) => document.querySelector(selector)?.checkVisibility() ?? false;
        await this.until(`${selector} is shown`, shown, selector);
    }

    text(selector) {
        return this.evaluate((selector) => document.querySelector(selector)?.textContent, selector);
    }

    /** Writes into a field, as a person who replaces all of it. */
    fill(selector, value) {
        const fill = ([selector, value]) => {
            const field = document.querySelector(selector);
            field.focus();
            field.value = value;
            for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
        };
        return this.evaluate(fill, [selector, value]);
    }

    /** Gives a field of files one that holds these bytes. */
    give(selector, name, bytes) {
        const give = ([selector, name, text]) => {
            const files = new DataTransfer();
            files.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
            const field = document.querySelector(selector);
            field.files = files.files;
            field.dispatchEvent(new Event("change", { bubbles: true }));
        };
        return this.evaluate(give, [selector, name, Buffer.from(bytes).toString("base64")]);
    }
}

class Chromium {
    short = "chromium";

    static async launch() {
        const args = [
            "--no-sandbox",
            "--enable-unsafe-webgpu",
            "--use-webgpu-adapter=swiftshader",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
        ];
        return new Chromium(await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args }));
    }

    constructor(browser) {
        this.browser = browser;
        this.name = `Chromium ${browser.version()}`;
    }

    /** A context with storage of its own. `look` has a width, a height and a scheme of colours. */
    async context({ width = 1200, height = 900, scheme = "light" } = {}) {
        const context = await this.browser.newContext({ viewport: { width, height }, colorScheme: scheme });
        return {
            async page(prepare) {
                const page = await context.newPage();
                page.setDefaultTimeout(PATIENCE / 2);
                if (prepare) await page.addInitScript(prepare);
                return new Page(page);
            },
            offline: (off) => context.setOffline(off),
            close: () => context.close(),
        };
    }

    close() {
        return this.browser.close();
    }
}

class Firefox {
    short = "firefox";

    static async launch() {
        const browser = await puppeteer.launch({
            browser: "firefox",
            executablePath: process.env.FIREFOX || "/usr/bin/firefox-esr",
            headless: true,
            protocolTimeout: PATIENCE,
            extraPrefsFirefox: {
                "dom.webgpu.enabled": true,
                // Software adapters are on the list of those that are not used.
                "gfx.webgpu.ignore-blocklist": true,
                "media.navigator.streams.fake": true,
                "media.navigator.permission.disabled": true,
            },
        });
        return new Firefox(browser, await browser.version());
    }

    constructor(browser, version) {
        this.browser = browser;
        this.name = version.replace("firefox/", "Firefox ");
    }

    async context({ width = 1200, height = 900 } = {}) {
        const context = await this.browser.createBrowserContext();
        return {
            async page(prepare) {
                const page = await context.newPage();
                await page.setViewport({ width, height });
                page.setDefaultTimeout(PATIENCE / 2);
                if (prepare) await page.evaluateOnNewDocument(prepare);
                return new Page(page);
            },
            close: () => context.close(),
        };
    }

    close() {
        return this.browser.close();
    }
}

export const BROWSERS = { chromium: Chromium, firefox: Firefox };
