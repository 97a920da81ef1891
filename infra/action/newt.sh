#!/bin/sh
# Runs NEWT_COMMAND, and ends with its status. newt is that of this checkout, built here, unless NEWT names one.
set -eu

if [ -z "${NEWT:-}" ]; then
	NEWT=$RUNNER_TEMP/newt
	(cd "$(dirname "$0")/../.." && CGO_ENABLED=0 go build -trimpath -o "$NEWT" ./runner)
fi

set -f # words are split at blanks, and patterns stay as they are
set -- $NEWT_COMMAND
command=$1
shift
case $command in
check | judge | replay) ;;
*)
	echo "::error title=newt::the command is check, judge or replay, not $command"
	exit 2
	;;
esac
if [ -n "${NEWT_SARIF:-}" ]; then
	exec "$NEWT" "$command" --format sarif "$@" >"$NEWT_SARIF"
fi
exec "$NEWT" "$command" --format github "$@"
