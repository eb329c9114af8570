using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>The result of a comparison of many objects, in words.</summary>
internal static class ComparedText
{
    public static string GetName(OutcomeStatus status) => status switch
    {
        OutcomeStatus.Different => "different",
        OutcomeStatus.OnlyAtTarget => "missing here",
        OutcomeStatus.OnlyAtSource => "missing there",
        OutcomeStatus.NotCompared => "not compared",
        _ => "failed",
    };

    /// <summary>Writes the summary, or throws what the comparison has found.</summary>
    /// <exception cref="DifferenceException">Thrown when anything is known to differ, which takes precedence over what could not be compared.</exception>
    /// <exception cref="TransferException">Thrown when not everything was compared.</exception>
    public static void Conclude(ComparedJson compared, string source, Location target, Invocation invocation)
    {
        (long Count, string What)[] all =
        [
            (compared.Same, "the same"),
            (compared.Different, GetName(OutcomeStatus.Different)),
            (compared.MissingHere, GetName(OutcomeStatus.OnlyAtTarget)),
            (compared.MissingThere, GetName(OutcomeStatus.OnlyAtSource)),
            (compared.NotCompared, GetName(OutcomeStatus.NotCompared)),
            (compared.Failed, GetName(OutcomeStatus.Failed)),
        ];
        string counts = string.Join(", ", all.Where(one => one.Count > 0).Select(one => $"{one.Count} {one.What}"));
        bool isDifferent = compared.Different + compared.MissingHere + compared.MissingThere > 0;
        bool isSame = !isDifferent && compared.NotCompared + compared.Failed == 0;
        Tally tally = invocation.Tally;
        tally.Checksum = ChecksumJson.None with { Verdict = isSame ? "verified" : isDifferent ? "mismatch" : "unverified" };
        if (isDifferent)
        {
            throw new DifferenceException($"{source} differs from {target}: {counts}", target.Key);
        }

        if (!isSame)
        {
            throw new TransferException($"{source} was not compared with all of {target}: {counts}") { Bucket = target.Bucket, Key = target.Key };
        }

        invocation.Summary($"the same: {Units.Count(compared.Same, "object", "objects")}, {ByteSize.Format(tally.Bytes)} in {Units.Duration(tally.Elapsed)}{Units.Rates(tally.Bytes, tally.Elapsed)}");
    }
}
