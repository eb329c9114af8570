using System.Collections.Immutable;
using Aspire.Hosting.ApplicationModel;
using Aspire.Hosting.Eventing;
using Aspire.Hosting.Faults;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Transfer.S3.Server;

namespace Aspire.Hosting;

/// <summary>Starts and stops the server of a resource, and publishes its state.</summary>
internal sealed class S3ServerRunner(S3ServerResource resource) : IAsyncDisposable
{
    public const string Address = "127.0.0.1";

    private const string FaultsProperty = "Simulated faults";

    // What a connection string gives a meaning.
    private static readonly char[] Separators = [';', '"', '\''];

#pragma warning disable CA2213 // neither has a timer or a wait handle, and a command can still use them while the AppHost ends
    private readonly SemaphoreSlim _gate = new(1);
    private readonly CancellationTokenSource _stopping = new();
#pragma warning restore CA2213
    private int? _port;

    /// <summary>Starts the server. If it can't be started, the state of the resource and its log say so.</summary>
    /// <returns>The error; null if the server is running.</returns>
    public async Task<Exception?> TryStartAsync(IServiceProvider services, CancellationToken cancellationToken)
    {
        // A start can wait long, for example for the value of a parameter. The end of the AppHost doesn't wait for it.
        using CancellationTokenSource linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _stopping.Token);
        cancellationToken = linked.Token;
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (resource.Server is not null)
            {
                return null;
            }

            ILogger logger = services.GetRequiredService<ResourceLoggerService>().GetLogger(resource);
            await PublishAsync(services, static state => state with { State = KnownResourceStates.Starting, StartTimeStamp = null, StopTimeStamp = null, ExitCode = null }).ConfigureAwait(false);
            try
            {
                await services.GetRequiredService<IDistributedApplicationEventing>().PublishAsync(new BeforeResourceStartedEvent(resource, services), cancellationToken).ConfigureAwait(false);
                EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(await CreateOptionsAsync(logger, cancellationToken).ConfigureAwait(false), cancellationToken).ConfigureAwait(false);
                resource.Server = server;
                await AllocateAsync(services, server.Endpoint.Port, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                await DisposeServerAsync().ConfigureAwait(false);
                Log.StartFailed(logger, e, resource.Name);
                await PublishAsync(services, static state => state with { State = KnownResourceStates.FailedToStart }).ConfigureAwait(false);
                return e;
            }

            await PublishAsync(services, state => state with
            {
                State = KnownResourceStates.Running,
                StartTimeStamp = Now(services),
                Urls = [.. state.Urls.Select(static url => url with { IsInactive = false })],
                Properties = WithFaults(state.Properties, resource.Faults is null ? FaultSimulation.None : FaultSimulation.Configured),
            }).ConfigureAwait(false);
            return null;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Stops the server. What it keeps in memory is lost.</summary>
    public async Task StopAsync(IServiceProvider services, CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (resource.Server is null)
            {
                return;
            }

            await PublishAsync(services, static state => state with { State = KnownResourceStates.Stopping }).ConfigureAwait(false);
            await DisposeServerAsync().ConfigureAwait(false);
            await PublishAsync(services, state => state with
            {
                State = KnownResourceStates.Exited,
                StopTimeStamp = Now(services),
                ExitCode = 0,
                Urls = [.. state.Urls.Select(static url => url with { IsInactive = true })],
                Properties = WithFaults(state.Properties, FaultSimulation.None),
            }).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }

        // Whoever is told can start the server again.
        if (services.GetRequiredService<ResourceNotificationService>().TryGetCurrentState(resource.Name, out ResourceEvent? stopped))
        {
            await services.GetRequiredService<IDistributedApplicationEventing>().PublishAsync(new ResourceStoppedEvent(resource, services, stopped), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Replaces the faults that the server simulates.</summary>
    /// <returns>Whether the server is running.</returns>
    public async Task<bool> TrySimulateAsync(FaultSimulation simulation, IServiceProvider services, CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (resource.Server is not { } server)
            {
                return false;
            }

            server.SetFaults(simulation.Plan);
            server.FirstByteDelay = simulation.Delay;
            ILogger logger = services.GetRequiredService<ResourceLoggerService>().GetLogger(resource);
            Log.Simulated(logger, simulation.Description);
            await PublishAsync(services, state => state with { Properties = WithFaults(state.Properties, simulation) }).ConfigureAwait(false);
            return true;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Stops the server at the end of the AppHost, when nobody listens to states anymore. It isn't started again.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            await DisposeServerAsync().ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    private async ValueTask DisposeServerAsync()
    {
        if (resource.Server is { } server)
        {
            resource.Server = null;
            await server.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<EmbeddedS3ServerOptions> CreateOptionsAsync(ILogger logger, CancellationToken cancellationToken) => new()
    {
        Host = Address,
        Port = _port ?? EndpointAnnotation.Port ?? 0,
        Directory = resource.DataFolder,
        AccessKeyId = await GetAsync(nameof(resource.AccessKeyId), resource.AccessKeyId, cancellationToken).ConfigureAwait(false),
        SecretAccessKey = await GetAsync(nameof(resource.SecretAccessKey), resource.SecretAccessKey, cancellationToken).ConfigureAwait(false),
        Region = resource.Region,
        Buckets = [.. resource.Buckets.Distinct(StringComparer.Ordinal)],
        Faults = resource.Faults,
        LoggerFactory = new ResourceLoggerFactory(logger),
    };

    private EndpointAnnotation EndpointAnnotation => resource.Endpoint.EndpointAnnotation;

    private static async Task<string> GetAsync(string what, ReferenceExpression expression, CancellationToken cancellationToken)
    {
        string value = await expression.GetValueAsync(cancellationToken).ConfigureAwait(false) ?? string.Empty;
        return value.IndexOfAny(Separators) < 0 && value.Trim() == value
            ? value
            : throw new InvalidOperationException($"{what} contains a semicolon, a quotation mark, or space at an end, which a connection string can't contain. Specify another one.");
    }

    /// <summary>Tells others the address. It remains the same when the server is started again.</summary>
    private async Task AllocateAsync(IServiceProvider services, int port, CancellationToken cancellationToken)
    {
        if (_port is not null)
        {
            return;
        }

        _port = port;
        EndpointAnnotation.AllocatedEndpoint = new AllocatedEndpoint(EndpointAnnotation, Address, port);
        IDistributedApplicationEventing eventing = services.GetRequiredService<IDistributedApplicationEventing>();
        await eventing.PublishAsync(new ResourceEndpointsAllocatedEvent(resource, services), cancellationToken).ConfigureAwait(false);
        await eventing.PublishAsync(new ConnectionStringAvailableEvent(resource, services), cancellationToken).ConfigureAwait(false);
    }

    private Task PublishAsync(IServiceProvider services, Func<CustomResourceSnapshot, CustomResourceSnapshot> change)
        => services.GetRequiredService<ResourceNotificationService>().PublishUpdateAsync(resource, change);

    private static ImmutableArray<ResourcePropertySnapshot> WithFaults(ImmutableArray<ResourcePropertySnapshot> properties, FaultSimulation simulation)
        => [.. properties.Where(static property => property.Name != FaultsProperty), new ResourcePropertySnapshot(FaultsProperty, simulation.Description)];

    private static DateTime Now(IServiceProvider services) => (services.GetService<TimeProvider>() ?? TimeProvider.System).GetUtcNow().UtcDateTime;
}
