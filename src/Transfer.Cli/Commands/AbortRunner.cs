using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Aborts uploads and lists them.</summary>
internal sealed class AbortRunner(Location address, TimeSpan? olderThan, bool isDryRun, Connection connection, Invocation invocation)
{
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        TransferClient client = connection.CreateClient(invocation.Observe(new ClientLimits().ToClientOptions()));
        await using (client.ConfigureAwait(false))
        {
            AbortUploadsResult result = await client.AbortUploadsAsync(address.Bucket, address.Key, new AbortUploadsOptions { OlderThan = olderThan, DryRun = isDryRun }, cancellationToken).ConfigureAwait(false);
            Tally tally = invocation.Tally;
            tally.Objects = result.Aborted.Count;
            tally.Failed = result.Failures.Count;
            tally.Requests = result.Statistics.Requests;
            tally.Retries = result.Statistics.Retries;
            Write(result);
            Fail(result.Failures, cancellationToken);
        }
    }

    private void Write(AbortUploadsResult result)
    {
        ListWriter writer = new(invocation);
        foreach (UnfinishedUpload upload in result.Aborted)
        {
            writer.Upload(upload);
        }

        string kept = result.KeptCount == 0 ? string.Empty : $"; kept {Units.Number(result.KeptCount)} newer";
        writer.Total($"{(isDryRun ? "would abort" : "aborted")} {Units.Count(result.Aborted.Count, "incomplete upload", "incomplete uploads")}{kept}");
    }

    /// <summary>Reports each failure. The last one is thrown, so that it sets the exit code.</summary>
    private void Fail(IReadOnlyList<UploadAbortFailure> failures, CancellationToken cancellationToken)
    {
        for (int i = 0; i < failures.Count; i++)
        {
            if (i == failures.Count - 1)
            {
                throw failures[i].Error;
            }

            Failure failure = Failure.From(failures[i].Error, invocation.StoreName, cancellationToken);
            invocation.Console.Message(failure.Message);
            invocation.Tally.AddError(new ErrorJson(failure.Key, failure.Message, failure.RequestId));
        }
    }
}
