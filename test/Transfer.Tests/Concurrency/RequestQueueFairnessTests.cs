namespace Transfer.S3.Tests.Concurrency;

/// <summary>How long requests wait in random mixes of transfers, classes, directions, weights, and limits.</summary>
public sealed class RequestQueueFairnessTests
{
    [Fact]
    public void RandomRequests_NoneWaitsLongerThanPromised()
    {
        int seeds = LongTests.Choose(full: 10_000, quick: 500);
        for (int seed = 0; seed < seeds; seed++)
        {
            new RandomQueueLoad(seed).Run();
        }
    }
}
