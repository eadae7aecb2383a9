/** Every way that is known in which html reaches for the network, each with a host of its own in that domain. */
export const hostileHtml = (domain: string): string => `<html><head>
  <link rel="preconnect" href="https://preconnect.${domain}">
  <link rel="dns-prefetch" href="https://dns-prefetch.${domain}">
  <link rel="prefetch" href="https://prefetch.${domain}/x">
  <link rel="stylesheet" href="https://stylesheet.${domain}/x.css">
  <link rel="icon" href="https://icon.${domain}/x.png">
  <base href="https://base.${domain}/">
  <style>
    @import url(https://import.${domain}/x.css);
    @font-face { font-family: theirs; src: url(https://font.${domain}/x.woff2) }
    p { color: rgb(1, 2, 3); font-family: theirs; background: url(https://style.${domain}/x.png) }
  </style>
</head>
<body background="https://background.${domain}/x.png" onload="fetch('https://onload.${domain}')">
  <p style="font-size: 33px">The mail.</p>
  <img src="cid:logo" id="logo"><img src="relative.png">
  <img src="https://img.${domain}/x.png"><img srcset="https://srcset.${domain}/x.png 1x">
  <img src="x:" onerror="fetch('https://onerror.${domain}')">
  <input type="image" src="https://input.${domain}/x.png">
  <video poster="https://poster.${domain}/x.png" src="https://video.${domain}/x.mp4" autoplay></video>
  <audio src="https://audio.${domain}/x" autoplay></audio>
  <iframe src="https://iframe.${domain}/"></iframe>
  <iframe srcdoc="<img src='https://srcdoc.${domain}/x.png'>"></iframe>
  <object data="https://object.${domain}/x"></object><embed src="https://embed.${domain}/x">
  <svg><image href="https://svg-image.${domain}/x.png"/><use href="https://svg-use.${domain}/x.svg#x"/></svg>
  <script>document.title = 'Taken over'; fetch('https://script.${domain}')</script>
  <script src="https://script-src.${domain}/x.js"></script>
</body></html>`;

/** What connects in a page that has no policy at all, soon and for sure; the rest may, depending on the browser. */
export const CERTAIN = [
  ...['stylesheet', 'import', 'font', 'style', 'background', 'img', 'srcset', 'onerror', 'input', 'poster'],
  ...['iframe', 'srcdoc', 'object', 'embed', 'svg-image', 'script-src'],
];

/** One link for each way to say where it opens, and a page that would not even wait for a click. */
export const linksTo = (domain: string): string => `<html><head>
  <meta http-equiv="refresh" content="0; url=https://refresh.${domain}/">
</head>
<body style="font-size: 20px">
  <a id="plain" href="https://plain.${domain}/">plain</a>
  <a id="self" href="https://self.${domain}/" target="_self">self</a>
  <a id="empty" target href="https://empty.${domain}/">empty</a>
  <a id="top" href="https://top.${domain}/" target=_top>top</a>
  <a id="parent" href="https://parent.${domain}/" TARGET='_parent'>parent</a>
  <a id="blank" href="https://blank.${domain}/" target="_blank" ping="https://ping.${domain}/">blank</a>
  <form action="https://form.${domain}/" target="_self"><button id="form">form</button></form>
</body></html>`;

export const hostsIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/https:\/\/([\w.-]+)/g)].map(([, host]) => host!)),
];
