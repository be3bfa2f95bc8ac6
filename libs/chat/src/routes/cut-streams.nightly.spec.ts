import { cutStreamsEndWhole } from '../../test/cut-streams.behaviour';

cutStreamsEndWhole(1);
