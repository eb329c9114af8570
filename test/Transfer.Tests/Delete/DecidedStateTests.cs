using System.Net;
using Transfer.S3.Delete;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Delete;

/// <summary>Only the state of an object on which a deletion was decided is deleted, whatever the store does with the condition.</summary>
public sealed class DecidedStateTests : TransferTest
{
    private const string Other = "\"other\"";

    public static TheoryData<int, string> Stores
    {
        get
        {
            TheoryData<int, string> data = [];
            foreach (int count in new[] { 1, 2, 40 })
            {
                data.Add(count, "honors");
                data.Add(count, "ignores");
                data.Add(count, "refuses");
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Stores))]
    public async Task ReplacedObjects_Remain_AndTheOthersAreDeleted(int count, string store)
    {
        SetStore(store);
        ObjectDeletion[] items = Put(count);
        string[] replaced = [.. items.Where((_, i) => i % 3 == 0).Select(item => item.Key)];
        Assert.All(replaced, key => S3.Objects[key] = new FakeObject(new byte[1], Other));
        string? missing = items.Select(item => item.Key).ElementAtOrDefault(1);
        S3.Objects.TryRemove(missing ?? string.Empty, out _);

        TransferException?[] errors = await DeleteAsync(items);

        Assert.Equal(replaced, items.Where((_, i) => errors[i] is TransferException { Error: TransferError.PreconditionFailed }).Select(item => item.Key));
        Assert.Equal(replaced.Length, errors.Count(error => error is not null));
        Assert.Equal(replaced, S3.Objects.Keys.Order(StringComparer.Ordinal));
    }

    /// <summary>An object without an ETag is compared by its size and time.</summary>
    [Fact]
    public async Task StateWithoutETag_IsCompared()
    {
        ObjectDeletion[] items = [.. Put(4).Select(item => item with { ETag = null, Length = 1 })];
        S3.Objects[items[2].Key] = new FakeObject(new byte[2], Other);

        TransferException?[] errors = await DeleteAsync(items);

        Assert.IsError(TransferError.PreconditionFailed, Assert.Single(errors, error => error is not null));
        Assert.Equal(items[2].Key, Assert.Single(S3.Objects).Key);
    }

    /// <summary>The deletion was carried out, its response was lost, and somebody writes the key again before the second attempt.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public async Task LostResponse_WhatIsWrittenThenRemains_AlsoIfTheStoreIgnoresConditions(int count)
    {
        S3.IgnoresDeletionConditions = true;
        ObjectDeletion[] items = Put(count);
        int deletions = 0;
        S3.AfterDeletion = _ =>
        {
            if (Interlocked.Increment(ref deletions) == 1)
            {
                S3.Objects[items[0].Key] = new FakeObject(new byte[1], Other);
                throw new IOException("the connection was reset");
            }
        };

        TransferException?[] errors = await DeleteAsync(items);

        Assert.IsError(TransferError.PreconditionFailed, errors[0]);
        Assert.All(errors[1..], Assert.Null);
        Assert.Equal(Other, Assert.Single(S3.Objects).Value.ETag);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public async Task ObjectsThatCannotBeLookedUp_Remain(int count)
    {
        S3.IgnoresDeletionConditions = true;
        ObjectDeletion[] items = Put(count);
        S3.Before = (call, _) => call.Operation is S3Call.Head or S3Call.List ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        TransferException?[] errors = await DeleteAsync(items);

        Assert.All(errors, error => Assert.Contains("could not be looked up", error!.Message, StringComparison.Ordinal));
        Assert.Equal(count, S3.Objects.Count);
        Assert.Equal(0, S3.GetCount(S3Call.Delete) + S3.GetCount(S3Call.DeleteBatch));
    }

    /// <summary>A condition that failed proves that the store checks conditions, so that nothing has to be looked up for the next ones.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public async Task StoreThatIsKnownToCheckConditions_IsNotAskedBefore(int count)
    {
        await using TransferClient client = NewClient();
        client.Context.Profile.Learn(StoreTrait.DeleteMatch, FakeS3.Bucket, StoreSupport.Supported);
        client.Context.Profile.Learn(StoreTrait.BatchDeleteMatch, FakeS3.Bucket, StoreSupport.Supported);
        ObjectDeletion[] items = Put(count);

        TransferException?[] errors = await DeleteAsync(items, client);

        Assert.All(errors, Assert.Null);
        Assert.Single(S3.Calls);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ConditionThatFails_TeachesThatItIsChecked(bool isBatch)
    {
        await using TransferClient client = NewClient();
        ObjectDeletion[] items = Put(isBatch ? 2 : 1);
        S3.Before = (call, _) =>
        {
            if (call.Operation is S3Call.Delete or S3Call.DeleteBatch)
            {
                S3.Objects[items[0].Key] = new FakeObject(new byte[1], Other); // after the lookup
            }

            return Task.CompletedTask;
        };

        Assert.IsError(TransferError.PreconditionFailed, (await DeleteAsync(items, client))[0]);

        Assert.Equal(StoreSupport.Supported, client.Context.Profile.GetSupport(isBatch ? StoreTrait.BatchDeleteMatch : StoreTrait.DeleteMatch, FakeS3.Bucket));
        Assert.Equal(StoreSupport.Unknown, client.Context.Profile.GetSupport(isBatch ? StoreTrait.DeleteMatch : StoreTrait.BatchDeleteMatch, FakeS3.Bucket));
    }

    /// <summary>Pages of a listing answer for many objects, so that the lookups don't cost a request each.</summary>
    [Fact]
    public async Task ManyObjects_AreLookedUpByPages()
    {
        ObjectDeletion[] items = Put(1000);

        Assert.All(await DeleteAsync(items), Assert.Null);

        Assert.Empty(S3.Objects);
        Assert.InRange(S3.Calls.Count, 2, 8);
    }

    /// <summary>The keys have the first half of a surrogate pair in common, which no request can have.</summary>
    [Fact]
    public async Task ManyObjects_WhoseKeysDifferWithinACharacter_AreLookedUp()
    {
        ObjectDeletion[] items = [.. Enumerable.Range(0, 40).Select(i => new ObjectDeletion($"p/{char.ConvertFromUtf32(0x1F600 + i)}", $"\"tag {i}\""))];
        Assert.All(items, item => S3.Objects[item.Key] = new FakeObject(new byte[1], item.ETag!));
        List<string> prefixes = [];
        S3.Before = (call, _) =>
        {
            if (call.Request is Amazon.S3.Model.ListObjectsV2Request { Prefix: { } prefix })
            {
                prefixes.Add(prefix);
            }

            return Task.CompletedTask;
        };

        Assert.All(await DeleteAsync(items), Assert.Null);

        Assert.Equal(["p/"], prefixes);
        Assert.Empty(S3.Objects);
    }

    [Theory]
    [InlineData("\"e\"", null, null, 1, "\"e\"", true)]
    [InlineData("e", null, null, 1, "\"e\"", true)]
    [InlineData("\"e\"", null, null, 1, "\"f\"", false)]
    [InlineData("\"e\"", null, null, 1, null, false)]
    [InlineData("\"e\"", 2L, null, 1, "\"e\"", false)]
    [InlineData("\"e\"", 1L, null, 1, null, true)]
    [InlineData(null, 1L, null, 1, "\"f\"", true)]
    [InlineData(null, 1L, 10, 1, "\"f\"", true)]
    [InlineData(null, 1L, 12, 1, "\"f\"", false)]
    [InlineData(null, null, 10, 1, "\"f\"", true)]
    public void State_IsCompared(string? etag, long? length, int? second, long actualLength, string? actualETag, bool isSame)
    {
        DateTimeOffset time = DateTimeOffset.UnixEpoch;
        ObjectDeletion item = new("k", etag) { Length = length, LastModified = second is { } at ? time.AddSeconds(at) : null };

        Assert.Equal(isSame, item.Matches(actualLength, actualETag, time.AddSeconds(10.9)));
    }

    private void SetStore(string store)
    {
        S3.IgnoresDeletionConditions = store == "ignores";
        if (store == "refuses")
        {
            S3.Before = (call, _) => call.Request is Amazon.S3.Model.DeleteObjectRequest { IfMatch: not null } || (call.Request is Amazon.S3.Model.DeleteObjectsRequest batch && batch.Objects.Exists(item => item.ETag is not null))
                ? throw FakeS3.Error(HttpStatusCode.BadRequest, "MalformedXML")
                : Task.CompletedTask;
        }
    }

    private ObjectDeletion[] Put(int count)
    {
        ObjectDeletion[] items = [.. Enumerable.Range(0, count).Select(i => new ObjectDeletion($"p/{i:D4}", $"\"tag {i}\""))];
        Assert.All(items, item => S3.Objects[item.Key] = new FakeObject(new byte[1], item.ETag!));
        return items;
    }

    private async Task<TransferException?[]> DeleteAsync(ObjectDeletion[] items, TransferClient? client = null)
    {
        client ??= NewClient();
        TransferRun run = client.Context.BeginCounting(FakeS3.Bucket, "p/");
        return await run.RunAsync((whole, token) => new ObjectDeleter(whole, FakeS3.Bucket, ReadAccess.Plain).DeleteAsync(items, token), default).Within();
    }
}
