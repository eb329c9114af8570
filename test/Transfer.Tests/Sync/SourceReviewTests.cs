using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Sync;

/// <summary>What the source has got since it was listed isn't deleted at the target, where another run has copied it meanwhile.</summary>
public sealed class SourceReviewTests : TransferTest
{
    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Download, SyncDirection.Inside, SyncDirection.Between];

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task NameThatAppearedAtTheSource_IsKept_AndTheOthersAreDeleted(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction);

        DirectoryResult result = await pair.RunAsync(Options());

        Assert.EachEqual((2, 1, 0), (result.Counts.Deleted, result.Counts.Conflicts, result.Counts.Failed));
        Assert.Equal(["a", "c/new"], pair.GetTarget().Keys.Order(StringComparer.Ordinal));

        // The next run sees both sides as they are.
        Assert.True((await pair.RunAsync(new SyncOptions { Delete = true })).Counts.IsComplete);
        Assert.Equal(["a", "c/new"], pair.GetTarget().Keys.Order(StringComparer.Ordinal));

        SyncOptions Options() => new()
        {
            Delete = true,
            MaxDelete = DeletionLimit.Percent(100),
            OnFailure = FailurePolicy.Continue,
            ObjectEnded = outcome =>
            {
                if (outcome.Operation == ObjectOperation.Copy)
                {
                    pair.SetSource(new Dictionary<string, string> { ["a"] = "new", ["c/new"] = "copied by another run" });
                }
            },
        };
    }

    /// <summary>Excluded targets are deleted although the source has them.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task ExcludedTargets_AreDeleted_WhateverTheSourceHas(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction);
        pair.SetSource(new Dictionary<string, string> { ["a"] = "new", ["b"] = "excluded", ["c/new"] = "selected" });
        SyncOptions options = new() { Delete = true, DeleteExcluded = true, MaxDelete = DeletionLimit.Percent(100), Exclude = ["b"] };

        DirectoryResult result = await pair.RunAsync(options);

        Assert.True(result.Counts.IsComplete);
        Assert.Equal(["a", "c/new"], pair.GetTarget().Keys.Order(StringComparer.Ordinal));
    }

    private SyncPair NewPair(SyncDirection direction)
    {
        SyncPair pair = new(direction, new FakeS3(), s3 => NewClient(s3.Client));
        pair.SetSource(new Dictionary<string, string> { ["a"] = "new" });
        pair.SetTarget(new Dictionary<string, string> { ["b"] = "gone", ["c/new"] = "copied by another run", ["d"] = "gone too" });
        return pair;
    }
}
