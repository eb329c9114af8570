using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;
using Transfer.S3.Server.Hosting;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>Serves the metrics of the library as Prometheus text, with the exporter of OpenTelemetry.</summary>
/// <remarks>Loads several assemblies, so it must not be used without --metrics-address.</remarks>
internal sealed class MetricsServer : IAsyncDisposable
{
    private const string ServiceName = "transfer";
    private const string Path = "/metrics";
    private const int MaxConnections = 64;
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(1);
    private readonly MeterProvider _provider;
    private readonly WebApplication _application;

    private MetricsServer(MeterProvider provider, WebApplication application)
    {
        _provider = provider;
        _application = application;
        IServerAddressesFeature addresses = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!;
        Address = new Uri(new Uri(addresses.Addresses.First()), Path);
    }

    /// <summary>Gets the URL of the metrics.</summary>
    public Uri Address { get; }

    /// <param name="given">The address as the user specified it.</param>
    /// <param name="address">The address to listen on.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation.</param>
    /// <exception cref="UsageException">The address can't be listened on, for example because the port is in use.</exception>
    public static async Task<MetricsServer> StartAsync(GivenValue given, IPEndPoint address, CancellationToken cancellationToken)
    {
        MeterProvider provider = Sdk.CreateMeterProviderBuilder()
            .ConfigureResource(static resource => resource.AddService(ServiceName, serviceVersion: Tool.Version, autoGenerateServiceInstanceId: false))
            .AddMeter(TransferClient.MeterName)
            .AddPrometheusExporter()
            .Build();
        WebApplication? application = null;
        try
        {
            application = Build(provider, address);
            await application.StartAsync(cancellationToken).ConfigureAwait(false);
            return new MetricsServer(provider, application);
        }
        catch (Exception e)
        {
            if (application is not null)
            {
                await application.DisposeAsync().ConfigureAwait(false);
            }

            provider.Dispose();
            if (e is IOException or SocketException)
            {
                throw new UsageException(
                    $"{given.Source} got '{Printable.Text(given.Text)}', which can't be listened on: {Printable.Line((e.InnerException ?? e).Message).TrimEnd('.')}; it accepts {MetricsAddressText.Accepted}", e);
            }

            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            await _application.StopAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // A scrape took longer than the time that is left for it.
        }

        await _application.DisposeAsync().ConfigureAwait(false);
        _provider.Dispose();
    }

    private static bool IsLocal(string host)
        => string.Equals(host, "localhost", StringComparison.OrdinalIgnoreCase) || (IPAddress.TryParse(host.Trim('[', ']'), out IPAddress? address) && IPAddress.IsLoopback(address));

    private static WebApplication Build(MeterProvider provider, IPEndPoint address)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions { ContentRootPath = AppContext.BaseDirectory });
        builder.WebHost.UseKestrelCore();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxConcurrentConnections = MaxConnections;
            kestrel.Limits.MaxRequestBodySize = 0;
            kestrel.Listen(address, static listener => listener.Protocols = HttpProtocols.Http1);
        });
        builder.Services.AddSingleton<IHostLifetime, NoLifetime>();
        builder.Services.Configure<HostOptions>(static host => host.ShutdownTimeout = StopTimeout);
        WebApplication application = builder.Build();
        if (IPAddress.IsLoopback(address.Address))
        {
            // A page in a browser of this machine can reach the address under a name of its own (DNS rebinding).
            application.Use(static (context, next) =>
            {
                if (IsLocal(context.Request.Host.Host))
                {
                    return next(context);
                }

                context.Response.StatusCode = (int)HttpStatusCode.MisdirectedRequest;
                return Task.CompletedTask;
            });
        }

        application.UseOpenTelemetryPrometheusScrapingEndpoint(provider, null, Path, null, null);
        return application;
    }
}
