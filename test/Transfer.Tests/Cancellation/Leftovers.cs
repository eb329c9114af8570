using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Cancellation;

/// <summary>What a transfer must not leave behind when it ends before its time: the one place that says what that is.</summary>
internal static class Leftovers
{
    /// <param name="client">Whose transfer it was.</param>
    /// <param name="s3">The store.</param>
    /// <param name="targets">The folder that downloads went to: files that were finished may be there, and nothing hidden.</param>
    /// <param name="where">What is told of a failure.</param>
    public static void Check(TransferClient client, FakeS3 s3, string targets, string where)
    {
        Assert.True(client.Context.Pool.RentedBytes == 0, $"{where}: chunks are out. {client.Context.Pool.DescribeRented()}");
        Assert.True(client.Context.Pool.Budget.ReservedBytes == 0, $"{where}: {client.Context.Pool.Budget.ReservedBytes} bytes of the budget are used.");
        Assert.True(client.Context.Scheduler.IsIdle, $"{where}: a request is under way, or waits to be.");
        Assert.False(s3.HasOpenUpload, $"{where}: an upload is open.");
        string[] files = [.. Directory.EnumerateFiles(targets, "*", new EnumerationOptions { AttributesToSkip = 0, RecurseSubdirectories = true })];
        Assert.All(files, file => Assert.False(Path.GetFileName(file).StartsWith('.'), $"{where}: {file} is left."));
    }
}
