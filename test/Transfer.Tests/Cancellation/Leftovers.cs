using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cancellation;

/// <summary>Checks that a transfer that ended early leaves nothing behind.</summary>
internal static class Leftovers
{
    /// <param name="client">The client of the transfer.</param>
    /// <param name="s3">The store.</param>
    /// <param name="targets">The target folder of downloads. It can contain completed files, but no hidden ones.</param>
    /// <param name="where">The description of the step, for the message of a failure.</param>
    public static void Check(TransferClient client, FakeS3 s3, string targets, string where)
    {
        Assert.True(client.Context.Pool.RentedBytes == 0, $"{where}: chunks are still rented. {client.Context.Pool.DescribeRented()}");
        Assert.True(client.Context.Pool.Budget.ReservedBytes == 0, $"{where}: {client.Context.Pool.Budget.ReservedBytes} bytes of the memory budget are still reserved.");
        Assert.True(client.Context.Requests.IsIdle, $"{where}: a request is still in flight or queued.");
        Assert.False(s3.HasOpenUpload, $"{where}: a multipart upload is still open.");
        string[] files = [.. Directory.EnumerateFiles(targets, "*", new EnumerationOptions { AttributesToSkip = 0, RecurseSubdirectories = true })];
        Assert.All(files, file => Assert.False(Path.GetFileName(file).StartsWith('.'), $"{where}: {file} was not deleted."));
    }
}
