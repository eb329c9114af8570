using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Delete;

/// <summary>The deletion of one object, which can be repeated: the response to an earlier attempt may have been lost.</summary>
public sealed class DeleteTests : TransferTest
{
    [Fact]
    public async Task Object_IsDeleted()
    {
        S3.Put(1);

        DeleteResult result = await NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key).Within();

        Assert.Empty(S3.Objects);
        Assert.EachEqual((1, 0, null, false), (result.Statistics.Requests, result.Statistics.Retries, result.VersionId, result.IsDeleteMarker));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("e")]
    public async Task MissingObject_IsNoFailure(string? ifMatch)
        => Assert.Equal(1, (await NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key, new DeleteOptions { IfMatch = ifMatch }).Within()).Statistics.Requests);

    [Fact]
    public async Task Condition_Holds_IsDeleted()
    {
        S3.Put(1);

        await NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key, new DeleteOptions { IfMatch = S3.Objects[FakeS3.Key].ETag }).Within();

        Assert.Empty(S3.Objects);
    }

    [Fact]
    public async Task Condition_OtherObject_Remains()
    {
        S3.Put(1);

        TransferException e = await Assert.ThrowsErrorAsync(
            TransferError.PreconditionFailed, () => NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key, new DeleteOptions { IfMatch = "other" }).Within());

        Assert.Contains("its ETag is not \"other\"", e.Message, StringComparison.Ordinal);
        Assert.Single(S3.Objects);
    }

    [Fact]
    public async Task Condition_LostResponse_IsNoFailure()
    {
        S3.Put(1);
        int calls = 0;
        S3.AfterDeletion = _ =>
        {
            calls++;
            throw new IOException("the connection was reset");
        };

        DeleteResult result = await NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key, new DeleteOptions { IfMatch = S3.Objects[FakeS3.Key].ETag }).Within();

        Assert.EachEqual((1, 1), (calls, result.Statistics.Retries));
    }

    /// <summary>The object that somebody wrote after the first attempt must not be deleted by the second one.</summary>
    [Fact]
    public async Task Condition_LostResponseAndANewObject_Remains()
    {
        S3.Put(1);
        S3.AfterDeletion = _ =>
        {
            S3.Objects[FakeS3.Key] = new FakeObject(new byte[5], "\"new\"");
            throw new IOException("the connection was reset");
        };

        await Assert.ThrowsErrorAsync(
            TransferError.PreconditionFailed, () => NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key, new DeleteOptions { IfMatch = S3.Objects[FakeS3.Key].ETag }).Within());

        Assert.Equal(5, S3.Objects[FakeS3.Key].Content.Length);
    }

    [Fact]
    public async Task MissingVersion_IsAFailure_UnlessAnAttemptMayHaveDeletedIt()
    {
        int calls = 0;
        S3.Before = (_, _) => ++calls % 2 == 1 && calls > 1 ? throw new IOException("the connection was reset") : throw FakeS3.Error(HttpStatusCode.NotFound, "NoSuchVersion");
        DeleteOptions options = new() { VersionId = "v" };

        calls = 1; // the next call, the second one, is answered
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key, options).Within());
        Assert.Equal("NoSuchVersion", e.ErrorCode);

        Assert.Equal("v", (await NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key, options).Within()).VersionId);
    }

    [Fact]
    public async Task Refusal_IsThrown()
    {
        S3.Put(1);
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key).Within());

        Assert.EachEqual(("AccessDenied", 1), (e.ErrorCode, e.Attempts));
    }

    [Theory]
    [InlineData("*", null)]
    [InlineData("W/\"e\"", null)]
    [InlineData("e", "v")]
    public async Task Condition_ThatCannotBeRepeated_IsRejected(string ifMatch, string? versionId)
    {
        await Assert.ThrowsAsync<ArgumentException>(
            () => NewClient().DeleteAsync(FakeS3.Bucket, FakeS3.Key, new DeleteOptions { IfMatch = ifMatch, VersionId = versionId }));
        Assert.Empty(S3.Calls);
    }
}
