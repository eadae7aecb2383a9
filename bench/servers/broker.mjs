// @ts-check
import { startServices } from '../../scripts/services/index.mjs';
import { controlRabbitmq } from '../../scripts/services/rabbitmq-control.mjs';
import { readDescriptor } from '../../scripts/services/rabbitmq.mjs';

/**
 * @typedef {object} Broker
 * @property {import('../../scripts/services/rabbitmq-control.mjs').RabbitmqControl} control
 * @property {number} pid
 * @property {() => Promise<void>} stop
 */

/**
 * A private RabbitMQ.
 *
 * @returns {Promise<Broker>}
 */
export async function startBroker() {
  const services = await startServices({ want: ['rabbitmq'] });
  const { rabbitmq } = services;
  if (!rabbitmq || 'unavailable' in rabbitmq || !rabbitmq.descriptorFile)
    throw new Error('there is no RabbitMQ to measure with');
  const { brokerPid = 0 } = await readDescriptor(rabbitmq.descriptorFile);
  return { control: await controlRabbitmq(rabbitmq.descriptorFile), pid: brokerPid, stop: services.stop };
}
