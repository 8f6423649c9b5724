// SPDX-License-Identifier: Apache-2.0
// Starts the language server, and runs the program for commands: simulate, check, plot in a panel
// (the HTML report), show the structure.
"use strict";
const { execFile } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client = null;
let output = null;
const panels = new Map(); // by the name of the model

function settings() {
    const config = vscode.workspace.getConfiguration("rubato");
    const libraries = config.get("libraries", []);
    return {
        program: config.get("program", "rubato"),
        options: libraries.flatMap((folder) => ["--library", folder]),
        lint: config.get("lint", true),
    };
}

async function start() {
    const { program, options, lint } = settings();
    const run = { command: program, args: ["lsp", ...options] };
    client = new LanguageClient("rubato", "Rubato", { run, debug: run }, {
        documentSelector: [{ scheme: "file", language: "modelica" }],
        synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.mo") },
        initializationOptions: { lint },
    });
    try {
        await client.start();
    } catch (error) {
        vscode.window.showErrorMessage(
            `Rubato: '${program} lsp' cannot be started: ${error.message}. Set rubato.program.`);
    }
}

// The model a command is about: given by the lens above it, else the last one of the open file.
function target(uri, model) {
    const file = uri ? vscode.Uri.parse(String(uri)).fsPath
        : vscode.window.activeTextEditor && vscode.window.activeTextEditor.document.uri.fsPath;
    if (!file) {
        vscode.window.showErrorMessage("Rubato: open a Modelica file first");
        return null;
    }
    return { file, model, name: model || path.basename(file, ".mo") };
}

// Runs the program, shows what it says; resolves to whether it succeeded.
async function run(command, what, more) {
    await vscode.workspace.saveAll(false);
    const { program, options } = settings();
    const words = [command, ...options, ...(what.model ? ["--model", what.model] : []), ...more, what.file];
    output.show(true);
    output.appendLine(`> ${program} ${words.join(" ")}`);
    return new Promise((resolve) => {
        execFile(program, words, { cwd: path.dirname(what.file), maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
            output.append(stdout + stderr);
            resolve(error ? null : stdout);
        });
    });
}

async function simulate(uri, model) {
    const what = target(uri, model);
    return what && run("simulate", what, []);
}

async function check(uri, model) {
    const what = target(uri, model);
    return what && run("check", what, []);
}

async function plot(uri, model) {
    const what = target(uri, model);
    if (!what) return null;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rubato-"));
    const page = path.join(folder, "report.html");
    const done = await run("simulate", what, ["--report", page, "--output", path.join(folder, "result.mat")]);
    if (done !== null) {
        let panel = panels.get(what.name);
        if (!panel) {
            panel = vscode.window.createWebviewPanel("rubato.report", what.name, vscode.ViewColumn.Beside,
                                                     { enableScripts: true, retainContextWhenHidden: true });
            panel.onDidDispose(() => panels.delete(what.name));
            panels.set(what.name, panel);
        }
        panel.webview.html = fs.readFileSync(page, "utf8");
        panel.reveal(vscode.ViewColumn.Beside, true);
    }
    fs.rmSync(folder, { recursive: true, force: true });
    return done;
}

async function structure(uri, model) {
    const what = target(uri, model);
    const text = what && await run("structure", what, []);
    if (text) {
        const document = await vscode.workspace.openTextDocument({ content: text, language: "plaintext" });
        await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
    }
    return text;
}

async function restart() {
    if (client) await client.stop();
    await start();
}

async function activate(context) {
    output = vscode.window.createOutputChannel("Rubato");
    const commands = { simulate, check, plot, structure, restart };
    for (const [name, action] of Object.entries(commands))
        context.subscriptions.push(vscode.commands.registerCommand(`rubato.${name}`, action));
    context.subscriptions.push(output);
    await start();
}

function deactivate() {
    return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
