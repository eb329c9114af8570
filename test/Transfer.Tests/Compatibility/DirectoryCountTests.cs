using Transfer.S3.Requests;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests.Compatibility;

public sealed class DirectoryCountTests
{
    /// <summary>Each failure can hold a few KiB, and a directory can have millions of files.</summary>
    [Fact]
    public void Fail_MillionsOfFiles_KeepsTheFirstFailures()
    {
        DirectoryCount count = new(static (_, _, _) => { });
        for (int number = 0; number < 2 * TransferDefaults.MaxKeptFailures; number++)
        {
            count.Fail(new TransferException($"{number}"), Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure, CancellationToken.None);
        }

        Assert.Equal(TransferDefaults.MaxKeptFailures, count.Errors.Count);
        Assert.Equal("0", count.Errors[0].Message);
    }
}
