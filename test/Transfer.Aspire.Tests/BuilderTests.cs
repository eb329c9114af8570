using Aspire.Hosting;
using Aspire.Hosting.ApplicationModel;

namespace Transfer.S3.AspireTests;

/// <summary>What an AppHost says about a store before it runs.</summary>
public sealed class BuilderTests
{
    [Fact]
    public void DataFolder_Relative_BeginsAtTheAppHost()
    {
        IDistributedApplicationBuilder builder = AppHost.CreateBuilder();

        Assert.Equal(Path.Combine(builder.AppHostDirectory, "data"), builder.AddS3Server("store").WithDataFolder("data").Resource.DataFolder);
    }

    [Fact]
    public void Resource_IsNotPublished()
        => Assert.Contains(AppHost.CreateBuilder(publishes: true).AddS3Server("store").Resource.Annotations, annotation => annotation == ManifestPublishingCallbackAnnotation.Ignore);

    [Fact]
    public void ConnectionString_WithParameters_RefersToThem()
    {
        IDistributedApplicationBuilder builder = AppHost.CreateBuilder();

        S3ServerResource store = builder.AddS3Server("store").WithRegion("eu-west-1").WithCredentials(builder.AddParameter("id"), builder.AddParameter("secret", secret: true)).Resource;

        Assert.Equal("Endpoint={store.bindings.http.url};AccessKeyId={id.value};SecretAccessKey={secret.value};Region=eu-west-1", store.ConnectionStringExpression.ValueExpression);
    }
}
