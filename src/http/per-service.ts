import type { Service } from './service.js';

/** What a route keeps between requests: made when it is first needed, one a service, gone with it. */
export function perService<T>(make: (service: Service) => T): (service: Service) => T {
  const made = new WeakMap<Service, { readonly it: T }>();
  return (service) => {
    let known = made.get(service);
    if (!known) {
      known = { it: make(service) };
      made.set(service, known);
    }
    return known.it;
  };
}
