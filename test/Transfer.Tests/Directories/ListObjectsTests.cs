using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Listings for the caller.</summary>
public sealed class ListObjectsTests : TransferTest
{
    [Fact]
    public async Task Objects_OfSeveralPages_AreListedInOrder()
    {
        string[] keys = ["p/a", "p/b/c", "p/é", "p/😀"];
        Array.ForEach(keys, key => S3.Put(key, 3));
        S3.Put("q", 1);
        S3.PageSize = 2;

        List<ListedObject> listed = await ListAsync("p/");

        Assert.Equal(keys, listed.Select(item => item.Key));
        Assert.All(listed, item => Assert.EachEqual((3, false), (item.Length, item.IsPrefix)));
        Assert.Equal(2, S3.GetCount(S3Call.List));
    }

    [Fact]
    public async Task Delimiter_PrefixesAreItemsOfTheirOwn()
    {
        S3.Put("p/a", 3);
        S3.Page = page => page.CommonPrefixes = ["p/b/"];

        List<ListedObject> listed = await ListAsync("p/", new ListObjectsOptions { Delimiter = "/" });

        Assert.Equal([("p/b/", true), ("p/a", false)], listed.Select(item => (item.Key, item.IsPrefix)));
        Assert.Equal("/", Assert.IsType<ListObjectsV2Request>(Assert.Single(S3.Calls).Request).Delimiter);
    }

    [Fact]
    public async Task Keys_NotUnderThePrefix_AreNamedAfterAllOthers()
    {
        S3.Put("p/a", 1);
        S3.Put("p/b", 1);
        S3.Page = page => page.S3Objects.InsertRange(1, Enumerable.Range(10, 12).Select(i => new S3Object { Key = $"p{i}", Size = 1 }));
        List<string> listed = [];

        TransferException e = await Assert.ThrowsAsync<TransferException>(async () =>
        {
            await foreach (ListedObject item in NewClient().ListObjectsAsync(FakeS3.Bucket, "p/"))
            {
                listed.Add(item.Key);
            }
        }).Within();

        Assert.Equal(["p/a", "p/b"], listed);
        Assert.Contains("12 keys that are not under the prefix: 'p10', 'p11'", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("'p20'", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Client_DisposedDuringTheEnumeration_EndsIt()
    {
        S3.Put("a", 1);
        S3.Put("b", 1);
        S3.PageSize = 1;
        TransferClient client = NewClient();
        await using IAsyncEnumerator<ListedObject> items = client.ListObjectsAsync(FakeS3.Bucket).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync());

        await client.DisposeAsync().AsTask().Within(); // it doesn't wait for the caller

        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await items.MoveNextAsync());
    }

    [Fact]
    public async Task Token_Canceled_IsTheTokenOfTheException()
    {
        S3.Put("a", 1);
        using CancellationTokenSource stop = new();
        S3.Before = async (_, token) =>
        {
            await stop.CancelAsync();
            token.ThrowIfCancellationRequested();
        };

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await NewClient().ListObjectsAsync(FakeS3.Bucket, cancellationToken: stop.Token).ToListAsync()).Within();

        Assert.Equal(stop.Token, e.CancellationToken);
    }

    [Fact]
    public async Task Arguments_Invalid_AreRejectedAtOnce()
    {
        TransferClient client = NewClient();
        Assert.ThrowsAny<ArgumentException>(() => client.ListObjectsAsync(" "));
        Assert.ThrowsAny<ArgumentException>(() => client.ListUploadsAsync(FakeS3.Bucket, null!));
        Assert.ThrowsAny<ArgumentException>(
            () => client.ListObjectsAsync(FakeS3.Bucket, "p/", new ListObjectsOptions { Include = ["a"], Filter = new ObjectFilter { Rules = [new FilterRule("b", false)] } }));
        Assert.ThrowsAny<ArgumentException>(() => client.ListObjectsAsync(FakeS3.Bucket, "p/", new ListObjectsOptions { Filter = new ObjectFilter { MinSizeBytes = -1 } }));
        await client.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => client.ListObjectsAsync(FakeS3.Bucket));
    }

    private async Task<List<ListedObject>> ListAsync(string prefix, ListObjectsOptions? options = null)
        => await NewClient().ListObjectsAsync(FakeS3.Bucket, prefix, options).ToListAsync().AsTask().Within();
}
