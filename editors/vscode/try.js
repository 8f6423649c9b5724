// SPDX-License-Identifier: Apache-2.0
// The extension in a real editor: starts code-server with it, opens a model in chromium, types, and looks at what is
// shown; pictures of each step go to a folder. Ends with status 1 if something is missing.
//
//   NODE_PATH=MODULES node editors/vscode/try.js CODE-SERVER EXTENSION.vsix RUBATO FOLDER
//
// MODULES has puppeteer-core from npm; CODE-SERVER is the entry of that package (out/node/entry.js); CHROMIUM may name
// the browser.
"use strict";
const { execFileSync, spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const puppeteer = require("puppeteer-core");

const [server, extension, rubato, pictures] = process.argv.slice(2);
const PORT = 8123 + process.pid % 1000;
const MODEL = `model Motor "a motor with a load"
  type Inertia = Real(unit="kg.m2");
  parameter Inertia J = 0.1 "inertia";
  parameter Real k(unit="N.m/A") = 0.5 "torque constant";
  Real w(unit="rad/s", start=0, fixed=true) "speed";
  Real i(unit="A") = 2 - 0.1*time "current";
equation
  J*der(w) = k*i - 0.02*w;
end Motor;
`;
const place = fs.mkdtempSync(path.join(os.tmpdir(), "rubato-try-"));
const missing = [];

function prepare() {
    const work = path.join(place, "work");
    const user = path.join(place, "user", "User");
    fs.mkdirSync(work);
    fs.mkdirSync(user, { recursive: true });
    fs.mkdirSync(pictures, { recursive: true });
    fs.writeFileSync(path.join(work, "Motor.mo"), MODEL);
    fs.writeFileSync(path.join(user, "settings.json"), JSON.stringify({
        "rubato.program": path.resolve(rubato),
        "workbench.startupEditor": "none",
        "workbench.tips.enabled": false,
        "security.workspace.trust.enabled": false,
        "editor.minimap.enabled": false,
        "chat.commandCenter.enabled": false,
    }));
    const common = ["--user-data-dir", path.join(place, "user"), "--extensions-dir", path.join(place, "extensions")];
    const config = path.join(place, "config.yaml");
    fs.writeFileSync(config, "auth: none\n");
    console.log(String(execFileSync(process.execPath, [server, "--config", config, ...common, "--install-extension",
                                                       path.resolve(extension)])).trim());
    return spawn(process.execPath, [server, "--config", config, ...common, "--bind-addr", `127.0.0.1:${PORT}`,
                                    "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust",
                                    "--disable-getting-started-override", work],
                 { stdio: ["ignore", "pipe", "pipe"] });
}

function listening(child) {
    return new Promise((resolve, reject) => {
        const said = (data) => { if (/HTTP server listening/.test(String(data))) resolve(); };
        child.stdout.on("data", said);
        child.stderr.on("data", said);
        child.on("exit", (status) => reject(new Error(`code-server ends with status ${status}`)));
    });
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Waits until the text of some element matches, and tells how it went.
async function see(page, what, selector, pattern, limit = 30000) {
    const until = Date.now() + limit;
    let found = [];
    while (Date.now() < until) {
        found = await page.$$eval(selector, (list) => list.map((e) => e.innerText || e.ariaLabel || ""));
        const text = found.join(" | ").replace(/\s+/g, " ");
        if (pattern.test(text)) {
            console.log(`${what}: ${text.match(pattern)[0].slice(0, 150)}`);
            return true;
        }
        await pause(200);
    }
    missing.push(what);
    console.log(`${what}: MISSING, there is ${JSON.stringify(found).slice(0, 300)}`);
    return false;
}

// Types into the box at the top, and takes the line that is offered.
async function choose(page, text, offered) {
    await page.waitForSelector(".quick-input-widget input", { visible: true });
    await page.keyboard.type(text, { delay: 20 });
    await see(page, "offered", ".quick-input-list .monaco-list-row.focused", offered);
    await pause(300);
    await page.keyboard.press("Enter");
    await pause(300);
}

async function press(page, modifier, key) {
    await page.keyboard.down(modifier);
    await page.keyboard.press(key);
    await page.keyboard.up(modifier);
}

async function command(page, title) {
    await page.keyboard.press("F1");
    await choose(page, title, new RegExp(title));
}

async function line(page, number, column) {
    await press(page, "Control", "g");
    await choose(page, `${number}:${column}`, new RegExp(`${column}`));
}

async function shoot(page, name) {
    await page.screenshot({ path: path.join(pictures, name + ".png") });
}

async function look(page) {
    await page.goto(`http://127.0.0.1:${PORT}/?folder=${path.join(place, "work")}`, { waitUntil: "domcontentloaded" });
    await page.waitForSelector(".monaco-workbench", { timeout: 60000 });
    await pause(3000);
    await press(page, "Control", "p");
    await choose(page, "Motor.mo", /Motor\.mo/);
    await see(page, "the text", ".view-lines", /model\sMotor/, 30000);
    await see(page, "commands above the model", ".codelens-decoration", /simulate.*check/);
    await see(page, "hints of units", ".view-lines", /J\s?⟨kg\.m2⟩/);
    await see(page, "language", ".statusbar", /Modelica/);
    await shoot(page, "1-open");

    await line(page, 8, 9); // w in der(w)
    await command(page, "Show or Focus Hover");
    await see(page, "hover", ".monaco-hover", /Real w[^|]*unit: rad\/s[^|]*speed/);
    await shoot(page, "2-hover");
    await page.keyboard.press("Escape");

    await line(page, 8, 26);
    await page.keyboard.type(" + kk", { delay: 60 });
    await page.keyboard.press("Escape");
    await command(page, "Problems: Focus on Problems View");
    await see(page, "message", ".markers-panel", /there is no 'kk' in 'Motor'; did you mean 'k'\?/);
    await shoot(page, "3-message");
    await page.mouse.click(600, 200);
    await line(page, 8, 30);
    await press(page, "Control", ".");
    await see(page, "repair", ".action-widget", /Replace by 'k'/);
    await shoot(page, "4-repair");
    await page.keyboard.press("Enter");
    await see(page, "repaired text", ".view-lines", /0\.02\*w\s\+\sk;/);

    await line(page, 8, 26);
    await press(page, "Shift", "End");
    await page.keyboard.type(" + J", { delay: 60 });
    await press(page, "Control", "Space");
    await see(page, "completion", ".suggest-widget", /J/);
    await shoot(page, "5-completion");
    await page.keyboard.press("Escape");
    for (let k = 0; k < 4; k++) await page.keyboard.press("Backspace");
    await page.keyboard.type(";");

    await line(page, 5, 8);
    await page.keyboard.press("F2");
    await page.waitForFunction(() => document.activeElement && document.activeElement.closest(".rename-box"));
    await page.keyboard.type("speed", { delay: 30 });
    await page.keyboard.press("Enter");
    await see(page, "renamed", ".view-lines", /der\(speed\)/);
    await shoot(page, "6-renamed");

    await command(page, "Rubato: Check");
    await see(page, "check", ".panel", /equations/);
    await command(page, "Rubato: Simulate and Plot");
    await see(page, "simulation", ".panel", /Motor: 1 s in/);
    await page.waitForSelector("iframe.webview", { timeout: 30000 });
    await pause(4000);
    await shoot(page, "7-plot");
    await drawn(page);
}

// Is there a curve in the panel?
async function drawn(page) {
    for (const frame of page.frames()) {
        const curves = await frame.$$eval("canvas", (list) => list.length).catch(() => 0);
        if (curves) {
            console.log(`plot: ${curves} canvas`);
            return;
        }
    }
    missing.push("plot");
    console.log("plot: MISSING");
}

async function main() {
    const child = prepare();
    let browser = null;
    try {
        await listening(child);
        browser = await puppeteer.launch({
            executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true,
            args: ["--no-sandbox", "--disable-gpu", "--window-size=1400,900"],
            defaultViewport: { width: 1400, height: 900 },
        });
        const page = await browser.newPage();
        try {
            await look(page);
        } catch (error) {
            missing.push(error.message);
            await shoot(page, "failed");
        }
    } finally {
        if (browser) await browser.close();
        child.removeAllListeners("exit");
        child.kill();
        fs.rmSync(place, { recursive: true, force: true });
    }
    console.log(missing.length ? `missing: ${missing.join(", ")}` : "everything is there");
    process.exit(missing.length ? 1 : 0);
}

main();
