import type { XmlElement } from '../archive';

/** Whether a property of the type `ST_OnOff` is on; without a value it is. */
export const isOn = (element: XmlElement): boolean => !['0', 'false', 'off'].includes(element.get('w:val') ?? '');
