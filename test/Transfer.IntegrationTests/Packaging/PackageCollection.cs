namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>The tests of the packages share one feed. Not beside other tests: a build takes all processors.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class PackageCollection : ICollectionFixture<PackageFeed>
{
    public const string Name = "Packages";
}
