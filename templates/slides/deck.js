// Starts the slides, and opens a window for the speaker: press S.

const speaking = new URLSearchParams(location.search).has("speaker");
let other = null; // the window of the speaker, or that of the audience

function escaped(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span;
}

function minutes(since) {
  const seconds = Math.floor((Date.now() - since) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// What the speaker sees: the slide, small, with what to say and what comes next.
function showNotes(panel) {
  const slide = Reveal.getCurrentSlide();
  const slides = Reveal.getSlides();
  const next = slides[slides.indexOf(slide) + 1];
  const notes = slide.querySelector("aside.notes");
  const said = panel.querySelector(".said");
  said.replaceChildren(...(notes ? notes.cloneNode(true).childNodes : [escaped("No notes.")]));
  const title = next ? next.querySelector("h1, h2").textContent : "The end";
  panel.querySelector(".next").textContent = `Next: ${title}`;
}

function speakerPanel() {
  document.documentElement.classList.add("speaker");
  const panel = document.createElement("aside");
  panel.className = "speaker-panel";
  panel.innerHTML = '<p class="clock"></p><div class="said"></div><p class="next"></p>';
  document.body.append(panel);
  const since = Date.now();
  setInterval(() => {
    panel.querySelector(".clock").textContent = minutes(since);
  }, 1000);
  Reveal.on("slidechanged", () => showNotes(panel));
  showNotes(panel);
  Reveal.layout();
}

// Both windows follow each other; a file has no origin, so the sender is looked at.
function follow() {
  let told = "";
  addEventListener("message", event => {
    if (event.source !== other || typeof event.data !== "string") return;
    told = event.data;
    Reveal.slide(...told.split("/").map(Number));
  });
  Reveal.on("slidechanged", ({ indexh, indexv }) => {
    const now = `${indexh}/${indexv}`;
    if (other && now !== told) other.postMessage(now, "*");
    told = "";
  });
}

function openSpeaker() {
  const { h } = Reveal.getIndices();
  const page = location.href.replace(/[?#].*$/, "");
  other = open(`${page}?speaker#/${h}`, "speaker", "width=1100,height=700");
}

addEventListener("DOMContentLoaded", async () => {
  // On a phone held upright a slide is as high as it is wide elsewhere.
  const upright = innerWidth < 600 && innerHeight > innerWidth;
  const [width, height] = upright ? [720, 1280] : [1280, 720];
  document.documentElement.classList.toggle("upright", upright);
  await Reveal.initialize({
    width,
    height,
    margin: 0,
    scrollActivationWidth: 0,
    center: false,
    hash: true,
    history: false,
    transition: "none",
    slideNumber: "c/t",
    pdfSeparateFragments: false,
    controls: false,
    progress: false,
    showNotes: false,
  });
  if (speaking) {
    other = opener;
    speakerPanel();
  } else {
    Reveal.addKeyBinding({ keyCode: 83, key: "S", description: "Speaker" }, openSpeaker);
  }
  follow();
});
