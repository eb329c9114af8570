import { Upload } from "./upload.js";

const $ = (id) => document.getElementById(id);
let upload = null;

$("file").addEventListener("change", () => {
  const file = $("file").files[0];
  upload = file ? new Upload(file, showProgress) : null;
  $("result").hidden = $("progress").hidden = true;
  $("start").textContent = upload?.isResumed ? "Resume" : "Upload";
  show(file ? (upload.isResumed ? `A part of ${file.name} is already in the store.` : `${file.name}, ${format(file.size)}`) : "");
  enable({ start: upload });
});

$("start").addEventListener("click", async () => {
  enable({ pause: true, cancel: true });
  $("progress").hidden = false;
  try {
    const result = await upload.run();
    showProgress(1, 1);
    show("Uploaded.");
    $("link").href = result.url;
    $("verdict").textContent = result.isVerified ? `verified, SHA-256 ${result.checksum}` : "not verified";
    $("result").hidden = false;
    enable({});
  } catch (error) {
    const isPaused = error.name === "AbortError";
    if (!upload) return; // canceled
    show(isPaused ? "Paused. Resume now, or choose the same file again later." : `${error.message} Try again: what was sent isn't lost.`, !isPaused);
    $("start").textContent = "Resume";
    enable({ start: true, cancel: true });
  }
});

$("pause").addEventListener("click", () => upload.pause());

$("cancel").addEventListener("click", async () => {
  const canceled = upload;
  upload = null;
  enable({});
  $("file").value = "";
  $("progress").hidden = true;
  show("Canceled.");
  await canceled.cancel();
});

function showProgress(sent, total) {
  $("progress").value = total === 0 ? 1 : sent / total;
  if (sent < total) show(`${format(sent)} of ${format(total)}`);
}

function show(text, isError = false) {
  $("status").textContent = text;
  $("status").className = isError ? "error" : "";
}

function enable(buttons) {
  for (const id of ["start", "pause", "cancel"]) $(id).disabled = !buttons[id];
  $("file").disabled = Boolean(buttons.pause);
}

function format(bytes) { return `${(bytes / 1048576).toFixed(1)} MiB`; }
