import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Series } from '../../api/types';
import { labelsOf, marksOf, stepOf, ticksUpTo, type Label, type Mark } from './axis';
import { numberWords } from '../../parts/number-words';

/** Where the cursor is: over which point, and how far from the left edge. */
export interface Pointed {
  readonly index: number;
  readonly leftPx: number;
}

/** The failed part below the line, as a share of the part above it. Always there, so that nothing moves when it fills. */
const BELOW = 0.16;
const LETTER_PX = 7;
const FONT = '11.5px "Atkinson Hyperlegible Mono Variable", ui-monospace, monospace';

const colour = (token: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();

/** A drawing of throughput in a place: as large as the place, in the colours of the theme, both of which may change. */
export class Plot {
  #series: Series = [];
  #top = 1;
  #depth = 1;
  #ticks: readonly number[] = [0, 1];
  #labels: readonly Label[] = [];
  #marks: readonly Mark[] = [];
  readonly #plot: uPlot;
  readonly #closing = new AbortController();

  constructor(
    place: HTMLElement,
    private readonly zone: string,
    onPoint: (pointed: Pointed | undefined) => void,
  ) {
    this.#plot = new uPlot(this.#options(place, onPoint), [[], [], []], place);
    this.#follow(place);
  }

  show(series: Series): void {
    this.#series = series;
    this.#ticks = ticksUpTo(Math.max(0, ...series.map(({ sent }) => sent)));
    this.#top = this.#ticks.at(-1) ?? 1;
    this.#depth = ticksUpTo(Math.max(0, ...series.map(({ failed }) => failed))).at(-1) ?? 1;
    this.#marks = marksOf(series, this.zone);
    // Nothing is no bar, not even a line.
    this.#plot.setData([
      series.map(({ at }) => Date.parse(at)),
      series.map(({ sent }) => sent || null),
      series.map(({ failed }) => -failed || null),
    ]);
  }

  /** Moves the cursor to a point; undefined: takes it away. */
  pointAt(index: number | undefined): void {
    const at = index === undefined ? undefined : this.#plot.data[0][index];
    if (at === undefined) this.#plot.setCursor({ left: -10, top: -10 });
    else this.#plot.setCursor({ left: this.#plot.valToPos(at, 'x'), top: 1 });
  }

  close(): void {
    this.#closing.abort();
    this.#plot.destroy();
  }

  #options(place: HTMLElement, onPoint: (pointed: Pointed | undefined) => void): uPlot.Options {
    const axis = { stroke: () => colour('ink-2'), font: FONT, ticks: { show: false } };
    const bars = uPlot.paths.bars?.({ size: [0.82, 42], gap: 1 });
    if (!bars) throw new Error('uPlot was built without bars');
    return {
      width: place.clientWidth,
      height: place.clientHeight,
      ms: 1,
      tzDate: (at) => uPlot.tzDate(new Date(at), this.zone),
      padding: [14, 22, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
      scales: {
        x: { range: () => this.#span() },
        sent: { range: () => [-this.#top * BELOW, this.#top] },
        failed: { range: () => [-this.#depth, this.#depth / BELOW] },
      },
      series: [
        {},
        { scale: 'sent', paths: bars, fill: () => colour('bar'), width: 0, points: { show: false } },
        { scale: 'failed', paths: bars, stroke: () => colour('dead'), width: 1.5, points: { show: false } },
      ],
      axes: [
        {
          ...axis,
          size: 30,
          gap: 9,
          grid: { show: false },
          splits: (plot) => {
            this.#labels = labelsOf(this.#series, this.zone, plot.bbox.width / devicePixelRatio);
            return this.#labels.map(({ at }) => at);
          },
          values: () => this.#labels.map(({ text }) => text),
        },
        {
          ...axis,
          scale: 'sent',
          // At first there are no words yet, whatever its types say.
          size: (_, words: readonly string[] | null) =>
            18 + LETTER_PX * Math.max(3, ...(words ?? []).map((each) => each.length)),
          gap: 8,
          grid: {
            stroke: () => colour('grid'),
            width: 1,
            filter: (_, splits) => splits.map((tick) => (tick < 0 ? null : tick)),
          },
          splits: () => [...this.#ticks, -this.#top * BELOW],
          values: (_, splits) => splits.map((tick) => this.#tickWords(tick)),
        },
      ],
      hooks: {
        drawAxes: [(plot) => this.#drawMarks(plot)],
        setCursor: [
          ({ cursor: { idx, left = -1 }, bbox }) =>
            onPoint(
              idx == null || left < 0
                ? undefined
                : { index: idx, leftPx: left + bbox.left / devicePixelRatio },
            ),
        ],
      },
    };
  }

  #span(): [number, number] {
    const [first, last] = [this.#series[0], this.#series.at(-1)];
    const half = stepOf(this.#series) / 2;
    return first && last ? [Date.parse(first.at) - half, Date.parse(last.at) + half] : [0, 1];
  }

  #tickWords(tick: number): string {
    if (tick >= 0) return numberWords(tick);
    return this.#series.some(({ failed }) => failed > 0) ? numberWords(this.#depth) : '';
  }

  /** The line between what left and what failed, and where the day or the clock changes. */
  #drawMarks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const half = stepOf(this.#series) / 2;
    ctx.save();
    ctx.lineWidth = devicePixelRatio;
    ctx.strokeStyle = colour('line-strong');
    ctx.fillStyle = colour('ink-2');
    ctx.font = FONT.replace('11.5px', `${11.5 * devicePixelRatio}px`);
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const { at, text } of this.#marks) {
      const x = Math.round(plot.valToPos(at - half, 'x', true));
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      if (text === undefined) continue;
      const fits = x + ctx.measureText(text).width + 8 < bbox.left + bbox.width;
      ctx.textAlign = fits ? 'left' : 'right';
      ctx.fillText(text, x + (fits ? 4 : -4) * devicePixelRatio, bbox.top + 9 * devicePixelRatio);
    }
    ctx.restore();
  }

  #follow(place: HTMLElement): void {
    const resized = new ResizeObserver(() =>
      this.#plot.setSize({ width: place.clientWidth, height: place.clientHeight }),
    );
    resized.observe(place);
    const repainted = new MutationObserver(() => this.#plot.redraw());
    repainted.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const { signal } = this.#closing;
    signal.addEventListener('abort', () => {
      resized.disconnect();
      repainted.disconnect();
    });
    // Drawn letters do not change by themselves when their font arrives.
    void document.fonts.ready.then(() => !signal.aborted && this.#plot.redraw());
  }
}
