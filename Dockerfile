# SPDX-License-Identifier: Apache-2.0
# Heddle, built, on Debian 12: INSTALL.md.
FROM debian:12
RUN apt-get update && apt-get install -y ca-certificates git make
COPY . /heddle
WORKDIR /heddle
RUN make build
CMD ["make", "run"]
