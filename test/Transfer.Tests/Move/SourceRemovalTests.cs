using Transfer.S3.Move;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Integrity;

namespace Transfer.S3.Tests.Move;

/// <summary>The source of a move is deleted only if its copy is another object that has everything.</summary>
public sealed class SourceRemovalTests : TransferTest
{
    private const string Source = "d/x";
    private static readonly byte[] Content = Sample.Bytes(1000);
    private static readonly DateTimeOffset Before = new(2026, 1, 2, 3, 4, 5, 100, TimeSpan.Zero);
    private static readonly DateTimeOffset SameSecond = Before.AddMilliseconds(500);
    private static readonly DateTimeOffset Later = Before.AddMinutes(1);

    public static TheoryData<string, bool> Keys => new()
    {
        { "d//x", false }, { "d//x", true }, { "/d/x", false }, { "/d/x", true }, { "d/./x", true }, { "linked/x", false }, { "linked/x", true },
    };

    /// <summary>In a gateway over a file system, both keys are one file, which the copy has written.</summary>
    [Theory]
    [MemberData(nameof(Keys))]
    public async Task OneObjectUnderTwoKeys_IsKept(string target, bool isThrough)
    {
        Fold(target, Later);

        await Assert.ThrowsAsync<ObjectChangedException>(() => MoveAsync(target, isThrough));

        Assert.Equal(Content, S3.Objects[Source].Content);
        Assert.Equal(0, S3.GetCount(S3Call.Delete));
    }

    /// <summary>The source was written in the second of the copy, so that headers show the same time.</summary>
    [Theory]
    [InlineData("d//x")]
    [InlineData("D/X")]
    [InlineData("d/y/../x")]
    public async Task OneObjectUnderTwoKeys_WithTheSameTime_IsKept(string target)
    {
        Fold(target, Before);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => MoveAsync(target, isThrough: true));

        Assert.Contains("may be one object under two names", e.Message, StringComparison.Ordinal);
        Assert.Equal(Content, S3.Objects[Source].Content);
        Assert.Equal(0, S3.GetCount(S3Call.Delete));
    }

    /// <summary>A listing has fractions of a second. Without them, other keys are enough.</summary>
    [Theory]
    [InlineData("d//x", true)]
    [InlineData("e/x", true)]
    [InlineData("e/x", false)]
    public async Task TwoObjectsOfTheSameSecond_AreTwo(string target, bool hasFractions)
    {
        S3.Before = (call, _) =>
        {
            if (S3.Objects.TryGetValue(target, out FakeObject? copy))
            {
                S3.Objects[target] = copy with { LastModified = hasFractions && call.Operation == S3Call.List ? SameSecond : Before };
            }

            return Task.CompletedTask;
        };
        Put();

        await MoveAsync(target, isThrough: true);

        Assert.Equal(target, Assert.Single(S3.Objects).Key);
    }

    /// <summary>Who can write to the target can't always read it. Similar keys are then not enough.</summary>
    [Theory]
    [InlineData("e/x", true)]
    [InlineData("d//x", false)]
    public async Task TargetThatCannotBeRead_IsAnotherObject_IfItsKeyIsNotSimilar(string target, bool isMoved)
    {
        Put();
        S3.Before = (call, _) => (call.Operation == S3Call.Head && call.Key == target) || call.Operation == S3Call.List
            ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied")
            : Task.CompletedTask;

        Exception? error = await Record.ExceptionAsync(() => MoveAsync(target, isThrough: true));

        Assert.EachEqual((isMoved, !isMoved), (error is null, S3.Objects.ContainsKey(Source)));
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task CopyThatLacksAProperty_KeepsTheSource_UnlessItsLossIsAllowed(bool isThrough, bool many)
    {
        Put("aws:kms");

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => MoveAsync("e/x", isThrough, many, "tags"));

        Assert.Contains("the copy does not have these properties: x-amz-server-side-encryption", e.Message, StringComparison.Ordinal);
        Assert.Equal(2, S3.Objects.Count);

        await MoveAsync("e/x", isThrough, many, "tags", "X-Amz-Server-Side-Encryption");
        Assert.Equal("e/x", Assert.Single(S3.Objects).Key);
    }

    /// <summary>The source is replaced between the copy and its deletion, in a store that ignores the condition of the deletion.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task SourceReplacedAfterTheCopy_IsKept_IfTheStoreIgnoresConditions(bool isThrough)
    {
        S3.IgnoresDeletionConditions = true;
        Put();
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Head && call.Key == "e/x")
            {
                S3.Objects[Source] = new FakeObject(new byte[1], "\"version 2\"");
            }

            return Task.CompletedTask;
        };

        await Assert.ThrowsAsync<ObjectChangedException>(() => MoveAsync("e/x", isThrough));

        Assert.Equal("\"version 2\"", S3.Objects[Source].ETag);
        Assert.Equal(Content, S3.Published("e/x"));
    }

    [Theory]
    [InlineData("all", "x-amz-storage-class", true)]
    [InlineData("metadata", "metadata 'owner'", true)]
    [InlineData("metadata 'owner'", "metadata 'owner'", true)]
    [InlineData("metadata", "x-amz-missing-meta", false)]
    [InlineData("TAGS", "tags", true)]
    [InlineData("tags", "x-amz-storage-class", false)]
    public void AllowedLosses_AreNames(string allowed, string name, bool isAllowed) => Assert.Equal(isAllowed, AllowedLosses.Contain([allowed], name));

    [Theory]
    [InlineData("a/b", "a//b", true)]
    [InlineData("a/b", "/a/b/", true)]
    [InlineData("a/b", "a\\b", true)]
    [InlineData("a/b", "a/./c/../b", true)]
    [InlineData("a/b", "A/B. ", true)]
    [InlineData("a/b", "a/b/c", false)]
    [InlineData("a/b", "b/a", false)]
    [InlineData("a\ud800", "a\ud800", true)]
    public void FoldedKey_IsThatOfFileSystems(string one, string other, bool isSame) => Assert.Equal(isSame, FoldedKey.Get(one) == FoldedKey.Get(other));

    private void Put(string? encryption = null)
        => S3.Objects[Source] = FakeObject.Checked(Content) with { Crc64NvmeInGet = CrcOf.Crc64Nvme(Content), LastModified = Before, Encryption = encryption };

    /// <summary>Makes one object of both keys. The listing shows the first one only.</summary>
    private void Fold(string target, DateTimeOffset written)
    {
        Put();
        S3.Before = (call, _) =>
        {
            if (S3.Objects.TryGetValue(target, out FakeObject? copy))
            {
                S3.Objects[Source] = S3.Objects[target] = copy with { ETag = S3.Objects[Source].ETag, LastModified = written };
                if (call.Operation == S3Call.List)
                {
                    S3.Objects.TryRemove(target, out FakeObject? _);
                }
            }

            return Task.CompletedTask;
        };
    }

    private async Task MoveAsync(string target, bool isThrough, bool many = false, params string[] losses)
    {
        TransferClient client = NewClient();
        string bucket = FakeS3.Bucket;
        if (many)
        {
            DirectoryOptions options = new() { DeleteSource = true, Copy = new CopyOptions { AllowedLosses = losses } };
            await (isThrough ? client.CopyDirectoryAsync(new(bucket, "d"), NewClient(), new(bucket, "e"), options) : client.CopyDirectoryAsync(new(bucket, "d"), new(bucket, "e"), options)).Within();
        }
        else if (isThrough)
        {
            await client.MoveAsync(new(bucket, Source), client, new(bucket, target), new StoreCopyOptions { AllowedLosses = losses }).Within();
        }
        else
        {
            await client.MoveAsync(new(bucket, Source), new(bucket, target), new CopyOptions { AllowedLosses = losses }).Within();
        }
    }
}
