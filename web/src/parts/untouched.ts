import { useEffect, useState, type RefObject } from 'react';

const TOP_PX = 4;

/** Whether the list is at its top and nobody points at a row of it or stands in one. */
export function useUntouched(scrolled: RefObject<HTMLElement | null>) {
  const [atTop, setAtTop] = useState(true);
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    const pane = scrolled.current;
    const look = () => setAtTop((pane?.scrollTop ?? 0) <= TOP_PX && scrollY <= TOP_PX);
    pane?.addEventListener('scroll', look, { passive: true });
    addEventListener('scroll', look, { passive: true });
    return () => {
      pane?.removeEventListener('scroll', look);
      removeEventListener('scroll', look);
    };
  }, [scrolled]);
  const touch = {
    onPointerEnter: () => setTouched(true),
    onPointerLeave: () => setTouched(false),
    onFocus: () => setTouched(true),
    onBlur: () => setTouched(false),
  };
  return { untouched: atTop && !touched, touch };
}
