# SPDX-License-Identifier: Apache-2.0
# Completion of `heddle` in bash. Commands, options, policies and keys are asked of the command itself as it is typed, so that this
# file knows none of them.

# Names that the help of a command lists, each with what it is for: commands, models.
_heddle_names()
{
    "$@" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'
}

# _heddle_values OPTION HEDDLE COMMAND...: what may stand where the option wants a value, one per line; nothing where it is a file.
_heddle_values()
{
    local option=$1 heddle=$2
    shift
    local -x COLUMNS= # lines are not to be wrapped
    case $option in
        --sched) "$heddle" list policies | sed -n 's/^  \([^ ]*\) .*/\1/p' ;;
        --dispatch) "$heddle" list dispatch | sed -n 's/^  \([^ ]*\) .*/\1/p' ;;
        --set) # but for those that are fixed when a configuration is built
            "$heddle" list keys | awk '/^\[/ { section = substr($1, 2, index($1, "]") - 2) }
                /^  [a-z]/ && section != "hw" { print section "." $1 "=" }' ;;
        --workload) "$heddle" list workloads | sed -n 's/^  \([^ ]*\) .*/\1/p' ;;
        *) # --backend=c|rtl|lockstep: words to choose from have small letters and digits
            "$@" --help | sed -n "s/^  \(-., \|    \)$option=\([a-z0-9]*|[a-z0-9|]*\).*/\2/p" | tr '|' '\n' ;;
    esac 2>/dev/null
}

_heddle()
{
    local heddle=${COMP_WORDS[0]} command=("${COMP_WORDS[@]:0:2}") word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD-1]} option= i first= words
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$(_heddle_names "$heddle") --help --version" -- "$word"))
        return
    fi
    # `heddle model mix` has options of its own.
    if [[ ${COMP_WORDS[2]} =~ ^[a-z]*$ ]]; then
        words=$(_heddle_names "${command[@]}")
        if ((COMP_CWORD == 2)) && [[ -n $words ]]; then
            COMPREPLY=($(compgen -W "$words --help" -- "$word"))
            return
        fi
        ! grep -qx -- "${COMP_WORDS[2]}" <<<"$words" || command+=("${COMP_WORDS[2]}")
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == -- ]] && { first=$((i + 1)); break; }
    done
    if [[ -n $first ]]; then # the program, then its own arguments
        ((COMP_CWORD == first)) && COMPREPLY=($(compgen -c -- "$word"))
        COMPREPLY+=($(compgen -f -- "$word"))
        return
    fi
    # --option=value comes as three words: bash breaks them at "=".
    if [[ $word == = ]]; then
        option=$before word=
    elif [[ $before == = ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
    elif [[ $before == --* && $word != -* ]] &&
        "${command[@]}" --help 2>/dev/null | grep -q -- " $before="; then
        option=$before
    fi
    if [[ -n $option ]]; then
        words=$(_heddle_values "$option" "${command[@]}")
        if [[ -n $words ]]; then
            COMPREPLY=($(compgen -W "$words" -- "$word"))
            [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
        else
            COMPREPLY=($(compgen -f -- "$word"))
        fi
    elif [[ $word == -* ]]; then
        words=$("${command[@]}" --help 2>/dev/null | sed -n 's/^  \(-., \|    \)\(--[a-z-]*=*\).*/\2/p')
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
    elif [[ ${command[1]} == list ]]; then
        words=$("$heddle" list --help | sed -n '1s/.*\[\(.*\)\]/\1/p' | tr '|' ' ')
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}

# Other configurations are commands of their own, `heddle-tiny`: this file is then found by that name.
complete -F _heddle heddle "${BASH_SOURCE[0]##*/}"
