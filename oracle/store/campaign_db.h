/* campaign_db.h - the open file of a campaign, for campaign_*.c of this folder and nobody else. */
#ifndef ORA_CAMPAIGN_DB_H
#define ORA_CAMPAIGN_DB_H

#include "oracle/store/store_db.h"

struct ora_campaign_store {
	struct ora_store *file; /* of its own kind */
};

#endif
