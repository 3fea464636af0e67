// Replies to threads and resolves them, accepts and declines suggestions.
import { keptArea, post, problem } from "./ask.js";

const said = document.getElementById("said");
for (const form of document.querySelectorAll("form.reply")) {
  const area = form.querySelector("textarea");
  const sent = keptArea(area, form.closest("li").dataset.thread);
  form.querySelector("details").open = Boolean(area.value);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const { state } = event.submitter.dataset;
    const { about, thread } = form.closest("li").dataset;
    const words = area.value.trim() || event.submitter.textContent;
    const [status, answer] = await post("comment", { about, thread, words, state });
    if (status === 200) sent();
    told(status, answer);
  });
}

for (const form of document.querySelectorAll("form.decide"))
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const { about, suggestion: id } = form.closest("li").dataset;
    told(...await post("decide", { about, id, accept: Boolean(event.submitter.dataset.accept) }));
  });

function told(status, answer) {
  if (status === 200) return location.reload();
  said.className = "found error";
  said.textContent = problem(status, answer);
  said.scrollIntoView({ block: "nearest" });
}
