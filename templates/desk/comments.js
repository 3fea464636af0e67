// Replies to threads and resolves them, accepts and declines suggestions.
import { post, problem } from "./ask.js";

const said = document.getElementById("said");
for (const form of document.querySelectorAll("form.reply"))
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const { state } = event.submitter.dataset;
    const { about, thread } = form.closest("li").dataset;
    const words = form.querySelector("textarea").value.trim() || event.submitter.textContent;
    const [status, answer] = await post("comment", { about, thread, words, state });
    told(status, answer);
  });

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
