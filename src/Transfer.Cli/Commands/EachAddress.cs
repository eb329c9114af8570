using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Does the same with each of several addresses, in their order. One that fails doesn't stop the others.</summary>
internal static class EachAddress
{
    /// <param name="addresses">The addresses.</param>
    /// <param name="invocation">The run of the command.</param>
    /// <param name="useAsync">What to do with one of them.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task RunAsync(IReadOnlyList<Location> addresses, Invocation invocation, Func<Location, Task> useAsync, CancellationToken cancellationToken)
    {
        if (addresses is [{ } single])
        {
            await useAsync(single).ConfigureAwait(false); // its failure is that of the command
            return;
        }

        FatalErrorDetector detector = new(triesAll: true);
        foreach (Location address in addresses)
        {
            try
            {
                await useAsync(address).ConfigureAwait(false);
                detector.NoteSuccess();
            }
            catch (TransferException e) when (!cancellationToken.IsCancellationRequested)
            {
                // An error of one bucket says nothing about the others.
                if (e.ErrorCode is not ("NoSuchBucket" or "InvalidBucketName" or "PermanentRedirect" or "AuthorizationHeaderMalformed") && detector.IsFatal(e))
                {
                    throw;
                }

                Add(e, invocation);
            }
        }

        if (invocation.Tally.Failed > 0)
        {
            invocation.ExitCode = ExitCode.Failed;
            invocation.Console.Flush();
            invocation.Summary($"{Units.Number(invocation.Tally.Failed)} of {Units.Number(addresses.Count)} failed");
        }
    }

    private static void Add(TransferException e, Invocation invocation)
    {
        Failure failure = Failure.From(e, invocation.StoreName, CancellationToken.None);
        invocation.Tally.Failed++;
        invocation.Tally.AddError(new ErrorJson(failure.Key, failure.Message, failure.RequestId));
        invocation.Console.Flush(); // a terminal shows the lines in their order
        invocation.Console.Message(failure.Message);
    }
}
