using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

public sealed class PageTests
{
    private static readonly PageRule<ListedObject> Ordered = PageRules.GetObjects("bucket");
    private static readonly PageRule<ListedObject> Unordered = PageRules.GetObjects("bucket--use1-az4--x-s3");

    [Fact]
    public void Page_TruncatedWithoutAMarker_IsRejected()
    {
        Assert.Throws<WireException>(() => Objects(Ordered, "a", null, null, isTruncated: true));
        Assert.Throws<WireException>(() => Objects(Ordered, "a", string.Empty, null, isTruncated: true));
        Assert.Throws<WireException>(() => Objects(Unordered, "a", null, null, isTruncated: true));
        Assert.Throws<WireException>(() => new Page<UnfinishedUpload>(PageRules.Uploads, string.Empty, [], isTruncated: true, null, null));
    }

    /// <summary>Sums of sizes don't overflow, whatever a store returns.</summary>
    [Fact]
    public void Page_ImpossibleSize_IsRejected()
    {
        Assert.Throws<WireException>(() => Parts(Sizes.MaxObject + 1));
        Assert.Throws<WireException>(() => Parts(long.MaxValue));
        Assert.Throws<WireException>(
            () => new Page<ListedObject>(Ordered, string.Empty, [new ListedObject { Key = "a", Length = long.MaxValue }], isTruncated: false, null, null));

        Assert.Single(Parts(Sizes.MaxObject).Items);

        static Page<ListedPart> Parts(long size) => new(PageRules.StoredParts, string.Empty, [new ListedPart { Number = 1, Length = size }], isTruncated: false, null, null);
    }

    [Fact]
    public void Page_NotTruncated_IsTheLastWhateverTheMarkerIs() => Assert.Null(Objects(Ordered, "a", "marker", null, isTruncated: false).Next);

    [Theory]
    [InlineData("a")] // the first page again
    [InlineData("b")] // only the last key again
    [InlineData("a c")] // begins before the end of the page before
    [InlineData("c a")]
    public void Page_DoesNotContinueTheOneBefore_IsRejected(string keys)
    {
        PageEnd? end = Objects(Ordered, "a b", "1", null).Next;

        WireException e = Assert.Throws<WireException>(() => Objects(Ordered, keys, "2", end));

        Assert.Equal(FailureKind.Final, e.Kind);
        Assert.Contains("the same page of the listing again", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void EmptyPages_KeepTheEndOfThePagesBefore()
    {
        PageEnd? end = Objects(Ordered, "a b", "1", null).Next;
        PageEnd? empty = Objects(Ordered, string.Empty, "2", end).Next;

        Assert.Throws<WireException>(() => Objects(Ordered, "a b", "3", empty));
        Assert.Equal(["c"], Objects(Ordered, "c", "3", empty).Items.Select(item => item.Key));
    }

    [Fact]
    public void LastKey_ListedAgainOnTheNextPage_IsLeftOut()
    {
        PageEnd? end = Objects(Ordered, "a b", "1", null).Next;

        Assert.Equal(["c"], Objects(Ordered, "b c c", "2", end).Items.Select(item => item.Key));
        Assert.Empty(Objects(Ordered, "b", null, end, isTruncated: false).Items);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(7)]
    public void Markers_InACircle_EndWithAnError(int length)
    {
        // A directory bucket has no order, so only the markers show the circle.
        WireException? error = null;
        PageEnd? end = null;
        int pages = 0;
        for (; error is null && pages < 10 * length; pages++)
        {
            try
            {
                end = Objects(Unordered, $"{pages % length}", $"{pages % length}", end).Next;
            }
            catch (WireException e)
            {
                error = e;
            }
        }

        Assert.Contains("the same page of the listing again", error?.Message, StringComparison.Ordinal);
        Assert.InRange(pages, length + 1, (4 * length) + 2);
    }

    [Fact]
    public void DirectoryBucket_KeysNeedNoOrder()
    {
        PageEnd? end = Objects(Unordered, "x b", "1", null).Next;

        Assert.Equal(["a", "c"], Objects(Unordered, "a c", "2", end).Items.Select(item => item.Key));
    }

    [Fact]
    public void Keys_NotUnderThePrefix_AreSeparate()
    {
        Page<ListedObject> page = new(Ordered, "p/", [Object("o"), Object("p"), Object("p/a"), Object("q/p/b")], isTruncated: false, null, null);

        Assert.Equal(["p/a"], page.Items.Select(item => item.Key));
        Assert.Equal(["o", "p", "q/p/b"], page.Outside.Select(item => item.Key));
    }

    [Fact]
    public void Uploads_OfOneKey_AreOnSeveralPages()
    {
        PageEnd? end = Uploads("a", "1", null).Next;
        end = Uploads("a", "2", end).Next;

        Assert.Throws<WireException>(() => Uploads("a", "2", end));
        Assert.Throws<WireException>(() => Uploads("A", "3", end));
        Assert.Equal("a", Assert.Single(Uploads("a", "3", end).Items).Key);

        static Page<UnfinishedUpload> Uploads(string key, string id, PageEnd? before)
            => new(PageRules.Uploads, string.Empty, [new UnfinishedUpload { Key = key, UploadId = id }], isTruncated: true, new PageMarker(key, id), before);
    }

    [Fact]
    public void Parts_OutOfOrder_AreRejected()
    {
        PageEnd? end = Parts(1, null).Next;

        Assert.Equal(2, Assert.Single(Parts(2, end).Items).Number);
        Assert.Throws<WireException>(() => Parts(1, Parts(2, end).Next));

        static Page<ListedPart> Parts(int number, PageEnd? before)
            => new(PageRules.StoredParts, string.Empty, [new ListedPart { Number = number, Length = 1 }], isTruncated: true, new PageMarker($"{number}"), before);
    }

    [Fact]
    public async Task Pages_LeftEarly_CancelsTheRequestForTheNextPage()
    {
        CancellationToken token = default;
        await foreach (Page<ListedObject> page in Pages.ReadAsync<ListedObject>(RequestAsync, CancellationToken.None))
        {
            Assert.Single(page.Items);
            break;
        }

        Assert.True(token.IsCancellationRequested);

        async Task<Page<ListedObject>?> RequestAsync(PageEnd? after, CancellationToken stopping)
        {
            if (after is not null)
            {
                token = stopping;
                await Task.Delay(Timeout.Infinite, stopping);
            }

            return Objects(Ordered, "a", "1", after);
        }
    }

    private static Page<ListedObject> Objects(PageRule<ListedObject> rule, string keys, string? marker, PageEnd? before, bool isTruncated = true)
        => new(rule, string.Empty, [.. keys.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(Object)], isTruncated, marker is null ? null : new PageMarker(marker), before);

    private static ListedObject Object(string key) => new() { Key = key, Length = 1 };
}
