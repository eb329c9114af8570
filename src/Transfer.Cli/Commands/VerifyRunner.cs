using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Compares a file with an object and reports the result.</summary>
internal sealed class VerifyRunner(VerifyPlan plan, VerifyOptions options, DateTimeOffset? asOf, ClientLimits limits, Connection connection, Invocation invocation)
{
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        TransferClient client = connection.CreateClient(invocation, limits);
        await using (client.ConfigureAwait(false))
        {
            VerifyResult result;
            try
            {
                ListedObject? past = asOf is { } time
                    ? await client.FindVersionAsync(plan.Object.Bucket, plan.Object.Key, time, new ObjectAccessOptions { RequesterPays = options.RequesterPays }, cancellationToken).ConfigureAwait(false)
                    : null;
                VerifyOptions of = past is null ? options : options with { VersionId = past.VersionId };
                result = await client.VerifyAsync(plan.Path, plan.Object.Bucket, plan.Object.Key, of, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = client.PeakRentedBytes;
            }

            Count(result, invocation.Tally);
            Conclude(result, $"'{plan.Path}'", plan.Object, invocation);
        }
    }

    /// <summary>Writes the summary, or throws what the comparison has found.</summary>
    public static void Conclude(VerifyResult result, string source, Location target, Invocation invocation)
    {
        if (result.Method == VerifyMethod.None)
        {
            throw new TransferException($"{source} was not compared with {target}: {result.Difference}") { Bucket = target.Bucket, Key = target.Key };
        }

        if (!result.IsSame)
        {
            throw new DifferenceException($"{source} differs from {target}: {result.Difference}", target.Key);
        }

        Tally tally = invocation.Tally;
        invocation.Summary($"the same by {How(result)}: {ByteSize.Format(tally.Bytes)} in {Units.Duration(tally.Elapsed)}{Units.Rates(tally.Bytes, tally.Elapsed)}");
    }

    public static void Count(VerifyResult result, Tally tally)
    {
        tally.Objects = 1;
        tally.Bytes = result.Bytes;
        tally.Set(result.Statistics);
        string verdict = result.IsSame ? "verified" : result.Method == VerifyMethod.None ? "unverified" : "mismatch";
        tally.Checksum = new ChecksumJson(ChecksumText.GetName(result.Algorithm ?? ChecksumAlgorithm.None), verdict, result.Checksum);
    }

    private static string How(VerifyResult result) => result.Method switch
    {
        VerifyMethod.Size => "size (both are empty)",
        VerifyMethod.Checksum => $"checksum ({ChecksumText.GetName(result.Algorithm ?? ChecksumAlgorithm.None)} {result.Checksum})",
        VerifyMethod.ETag => "ETag (md5)",
        _ => "content",
    };
}
