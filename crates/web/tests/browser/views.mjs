// The page for visitors, tried by click and key. It is in ../../site (`cargo xtask site`).

const PATIENCE = 60_000;

/** Opens the page, does something with it, and lets nothing be wrong on its console. */
async function visit(browser, address, work) {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    page.setDefaultTimeout(PATIENCE);
    const wrong = [];
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(error.message));
    try {
        await page.goto(address);
        const line = await work(page);
        if (wrong.length > 0) throw new Error(`the console says: ${wrong.join("; ")}`);
        return line;
    } finally {
        await page.close();
    }
}

const text = (page, selector) => page.textContent(selector);

export const VIEWS = {
    "the page chats, stops, answers again and lets messages be edited": (browser, address) =>
        visit(browser, address, async (page) => {
            const ended = () => page.waitForFunction(() => document.querySelector("#chat-status").textContent.includes("ended by length"));
            await page.click("text=Settings");
            await page.fill("[name=maxTokens]", "3");
            await page.fill("#question", "The sea");
            await page.press("#question", "Enter");
            await ended();
            const answer = await text(page, "#messages .assistant");
            await page.click("#again");
            await page.waitForFunction(() => !document.querySelector("#chat-status").textContent.includes("ended by length"));
            await ended();
            if ((await text(page, "#messages .assistant")) !== answer) throw new Error("the second answer is another one");
            await page.fill("[name=maxTokens]", "200");
            await page.click("text=Edit");
            if ((await page.inputValue("#question")) !== "The sea") throw new Error("the message is not there to be edited");
            await page.fill("#question", "A house");
            await page.click("#send");
            await page.waitForSelector("#messages .assistant");
            await page.click("#stop");
            await page.waitForFunction(() => document.querySelector("#chat-status").textContent === "Stopped.");
            return JSON.stringify(answer);
        }),

    "the page tells of a program, runs it and measures it": (browser, address) =>
        visit(browser, `${address}#program`, async (page) => {
            await page.click("#open-demo");
            await page.waitForSelector("#report h2");
            await page.click("#report button:has-text('Run')");
            await page.waitForSelector("#report canvas");
            const output = await text(page, "#report canvas + p");
            await page.click("#report button:has-text('Measure')");
            await page.waitForSelector("text=a call (median");
            await page.click("text=Nodes");
            await page.fill("[type=search]", "no such node");
            if ((await page.locator("details[open] tbody tr").count()) !== 0) throw new Error("the search finds what is not there");
            await page.setInputFiles("#open [name=program]", { name: "broken.pte", mimeType: "application/octet-stream", buffer: Buffer.alloc(64) });
            await page.waitForSelector("#program-status .error");
            return `${output.slice(0, 40)}…; a broken file: ${await text(page, "#program-status")}`;
        }),

    "the page tells of the device, by keys": (browser, address) =>
        visit(browser, address, async (page) => {
            await page.focus("#tab-chat");
            await page.keyboard.press("ArrowLeft");
            await page.waitForSelector("#device-facts dd");
            return text(page, "#device-facts dd");
        }),
};
