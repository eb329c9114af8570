using Transfer.S3.Delete;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Integrity;

namespace Transfer.S3.Tests.Move;

/// <summary>The source of a move is deleted only if its copy is another object that has everything.</summary>
public sealed class SourceRemovalTests : TransferTest
{
    private const string Source = "d/x";
    private static readonly byte[] Content = Sample.Bytes(1000);
    private static readonly DateTimeOffset Before = new(2026, 1, 2, 3, 4, 5, 100, TimeSpan.Zero);
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

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => MoveAsync(target, isThrough));

        Assert.Equal(Content, S3.Objects[Source].Content);
        Assert.Equal(0, S3.GetCount(S3Call.Delete));
    }

    /// <summary>The source was written in the second of the copy, so that headers show the same time.</summary>
    [Theory]
    [MemberData(nameof(Keys))]
    public async Task OneObjectUnderTwoKeys_WithTheSameTime_IsKept(string target, bool isThrough)
    {
        Fold(target, Before);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => MoveAsync(target, isThrough));

        Assert.Contains("may be one object under two names", e.Message, StringComparison.Ordinal);
        Assert.Equal(Content, S3.Objects[Source].Content);
        Assert.Equal(0, S3.GetCount(S3Call.Delete));
    }

    /// <summary>What wasn't there before the copy isn't the source, whatever its time is. The credentials may be unable to read the target.</summary>
    [Theory]
    [InlineData("d//x", false)]
    [InlineData("e/x", false)]
    [InlineData("e/x", true)]
    public async Task TargetThatIsNew_IsAnotherObject(string target, bool isUnreadable)
    {
        Put();
        S3.Before = (call, _) =>
        {
            if (S3.Objects.TryGetValue(target, out FakeObject? copy))
            {
                S3.Objects[target] = copy with { LastModified = Before };
            }

            return isUnreadable && call.Operation == S3Call.Head && call.Key == target ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        };

        await MoveAsync(target, isThrough: true);

        Assert.Equal(target, Assert.Single(S3.Objects).Key);
    }

    /// <summary>Headers have no fractions of a second, so the copy is made in a later one.</summary>
    [Fact]
    public async Task TargetThatIsACopyOfTheSameSecond_IsReplacedInTheNext()
    {
        Put();
        S3.Objects["e/x"] = S3.Objects[Source];
        S3.Before = (_, _) =>
        {
            S3.Objects["e/x"] = S3.Objects["e/x"] with { LastModified = Before + (Time.GetUtcNow() - DateTimeOffset.UnixEpoch) };
            return Task.CompletedTask;
        };

        await MoveAsync("e/x", isThrough: false);

        Assert.Equal("e/x", Assert.Single(S3.Objects).Key);
    }

    /// <summary>An earlier copy of the same second looks like another name of the source. A later one doesn't.</summary>
    [Fact]
    public async Task TargetThatIsAnEarlierCopy_IsReplaced()
    {
        Put();
        DateTimeOffset written = Before;
        S3.Objects["e/x"] = S3.Objects[Source];
        S3.Before = (_, _) =>
        {
            S3.Objects["e/x"] = S3.Objects["e/x"] with { LastModified = written };
            return Task.CompletedTask;
        };

        await Assert.ThrowsAsync<TransferException>(() => MoveAsync("e/x", isThrough: false));
        written = Later;
        S3.Objects["e/x"] = S3.Objects[Source];
        await MoveAsync("e/x", isThrough: false);

        Assert.Equal("e/x", Assert.Single(S3.Objects).Key);
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

        S3.Objects.TryRemove("e/x", out FakeObject? _);
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
            if (call.Operation == S3Call.Head && S3.Objects.ContainsKey("e/x"))
            {
                S3.Objects[Source] = new FakeObject(new byte[1], "\"version 2\"");
            }

            return Task.CompletedTask;
        };

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => MoveAsync("e/x", isThrough));

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

    private void Put(string? encryption = null)
        => S3.Objects[Source] = FakeObject.Checked(Content) with { Crc64NvmeInGet = CrcOf.Crc64Nvme(Content), LastModified = Before, Encryption = encryption };

    /// <summary>Makes one object of both keys: what is written under one of them is there under both.</summary>
    private void Fold(string target, DateTimeOffset written)
    {
        Put();
        FakeObject one = S3.Objects[target] = S3.Objects[Source];
        S3.Before = (_, _) =>
        {
            if (S3.Objects.TryGetValue(target, out FakeObject? copy) && !ReferenceEquals(copy, one))
            {
                one = S3.Objects[Source] = S3.Objects[target] = copy with { ETag = one.ETag, LastModified = written };
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
            await (isThrough ? client.CopyTreeAsync(Place.InBucket(bucket, "d"), NewClient(), Place.InBucket(bucket, "e"), options) : client.CopyTreeAsync(Place.InBucket(bucket, "d"), Place.InBucket(bucket, "e"), options)).Within();
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
