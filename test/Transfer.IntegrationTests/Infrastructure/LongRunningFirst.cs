using Xunit.Abstractions;

[assembly: TestCollectionOrderer("Transfer.S3.IntegrationTests.Infrastructure.LongRunningFirst", "Transfer.IntegrationTests")]

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Orders the classes so that those with <see cref="LongRunningAttribute"/> start first.</summary>
public sealed class LongRunningFirst : ITestCollectionOrderer
{
    /// <summary>The collection of a class has this name, followed by the name of the class.</summary>
    private const string Prefix = "Test collection for ";

    public IEnumerable<ITestCollection> OrderTestCollections(IEnumerable<ITestCollection> testCollections) => testCollections.OrderBy(collection => IsLongRunning(collection) ? 0 : 1);

    private static bool IsLongRunning(ITestCollection collection)
        => collection.DisplayName.StartsWith(Prefix, StringComparison.Ordinal)
            && typeof(LongRunningFirst).Assembly.GetType(collection.DisplayName[Prefix.Length..]) is { } type
            && type.IsDefined(typeof(LongRunningAttribute), inherit: false);
}
