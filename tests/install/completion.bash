# SPDX-License-Identifier: Apache-2.0
# tests/install/completion.bash COMPLETION_FILE: what bash offers behind words that are typed, with `heddle` on the PATH.
set -u
source "$1"
compopt() { :; } # only within a completion that bash has begun
failed=0

# offers "typed words" ["one that is offered" | "-one that is not"]...
offers() {
    local words=$1 expected
    shift
    read -ra COMP_WORDS <<<"$words"
    [[ $words != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _heddle
    for expected; do
        if [[ $expected == -[!-]* ]]; then
            [[ " ${COMPREPLY[*]-} " != *" ${expected#-} "* ]] || { echo "'$words' offers ${expected#-}"; failed=1; }
        elif [[ " ${COMPREPLY[*]-} " != *" $expected "* ]]; then
            echo "'$words' does not offer $expected, but: ${COMPREPLY[*]-}"
            failed=1
        fi
    done
}

offers 'heddle ' run sweep --version
offers 'heddle re' report replay -run
offers 'heddle run --' --stats= --progress --help
offers 'heddle run --sched = gt' gto gtls -lrr
offers 'heddle run --sched gt' gto
offers 'heddle run --dispatch = ' bcs -gto
offers 'heddle run --backend = ' c rtl lockstep
offers 'heddle run --set = mask' mask.n= mask.p=
offers 'heddle run --set = hw.' -hw.num_warps= # fixed when a configuration is built
offers 'heddle sweep --engine = ' local slurm
offers 'heddle list ' units keys
offers 'heddle model ' camp mix pdvfs power --help
offers 'heddle model camp --' --measured= --noise= --picture= --ways=
offers 'heddle model power --' --events= --program= --measured= --without= --csv=
offers 'heddle model mix --' --measured= --blocks= --help
offers 'heddle model mix --goal = ' ratio utilisation
offers 'heddle model pdvfs --' --csv= --goal= --misses= --period= --picture= --slots=
offers 'heddle model pdvfs --misses = ' l1d l2
touch here.json
offers 'heddle model mix her' here.json
offers 'heddle report her' here.json
offers 'heddle report --picture = her' here.json
offers 'heddle run -- her' here.json
offers 'heddle run -- env' env
# A command that has learned an option since this file was written.
heddle() { echo '      --brand-new=one|two   what is new'; }
offers 'heddle run --brand' --brand-new=
offers 'heddle run --brand-new = ' one two
exit $failed
