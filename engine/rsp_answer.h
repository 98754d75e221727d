/* rsp_answer.h - what the server answers to each packet of the remote protocol.
 *
 * An answer is appended to what the client is to be sent. A packet that is not known is answered
 * with an empty one, as the protocol has it; one that makes no sense with an error. Wishes (to go
 * on, to detach, to kill) are noted in the client and not answered here: see rsp_server.h. */
#ifndef ENG_RSP_ANSWER_H
#define ENG_RSP_ANSWER_H

#include "engine/rsp_server.h"

/* lldb is told by what it has asked for. */
bool eng_rsp_is_lldb(const struct eng_rsp_client *client);

/* Answers the packet that the client's decoder holds. */
void eng_rsp_answer(struct eng_rsp_server *server, struct eng_rsp_client *client);
/* Tells the client of its last stop, which it has waited for. */
void eng_rsp_answer_stop(struct eng_rsp_server *server, struct eng_rsp_client *client);

#endif
