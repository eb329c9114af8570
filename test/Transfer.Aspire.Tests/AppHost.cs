using System.Reflection;
using Aspire.Hosting;
using Aspire.Hosting.ApplicationModel;
using Microsoft.Extensions.Hosting;

namespace Transfer.S3.AspireTests;

/// <summary>An AppHost in the process of the test, with the orchestrator of Aspire and without the dashboard.</summary>
internal static class AppHost
{
    private static readonly string Orchestrator = typeof(AppHost).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(data => data.Key == "AspireOrchestrator").Value!;

    /// <param name="publishes">Whether the AppHost writes a manifest instead of running.</param>
    public static IDistributedApplicationBuilder CreateBuilder(bool publishes = false)
    {
        IDistributedApplicationBuilder builder = DistributedApplication.CreateBuilder(new DistributedApplicationOptions
        {
            Args = publishes ? ["--operation", "publish", "--publisher", "manifest"] : [],
            AssemblyName = typeof(AppHost).Assembly.GetName().Name,
            DisableDashboard = true,
        });
        builder.Configuration["DcpPublisher:CliPath"] = Orchestrator;
        builder.Configuration["DcpPublisher:DashboardPath"] = Orchestrator; // checked, and not started
        builder.Configuration["DcpPublisher:KubernetesConfigReadRetryCount"] = "900"; // its key takes 1 to 20 s of processor time; by default, 30 s pass
        return builder;
    }

    /// <summary>Creates the builder of a service that has the connection string of a resource, as the AppHost passes it to a project.</summary>
    public static async Task<HostApplicationBuilder> CreateServiceAsync(S3ServerResource store)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration[$"ConnectionStrings:{store.Name}"] = await store.ConnectionStringExpression.GetValueAsync(default).Within();
        return builder;
    }
}
